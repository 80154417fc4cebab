import { expect, test } from 'vitest';
import { commandLineText } from '#runtime/windows/command-line-text.ts';
import { elevatedCommand, elevationOutcome } from './elevated-command.ts';

// Guarantee: what runs with an administrator's rights is exactly what was asked for, whatever letters its paths have; a refusal
// is told from a failure.
test('asking for an administrator', () => {
  const args = ['--home', "D:\\Eva's l’équipe ü", 'services', 'install'];
  const script = Buffer.from(elevatedCommand('C:\\a b\\node.exe', args).at(-1) ?? '', 'base64').toString(
    'utf16le',
  );
  expect(script).toContain(`$info.Arguments = '--home "D:\\Eva''s l’’équipe ü" services install'`);
  expect(commandLineText('x', args)).toContain(`--home "D:\\Eva's l’équipe ü" services install`);
  expect(script).toContain('"runas"');
  expect([0, 1, 740, 1223, 1260].map(elevationOutcome)).toEqual([
    'done',
    'failed',
    'impossible',
    'refused',
    'impossible',
  ]);
});
