import { expect, test } from 'vitest';
import { commandInCopy, copyName } from './copy-paths.ts';

// Guarantee: every mention of the server's folder becomes its copy, once.
test('the command in the copy', () => {
  const command: [string, ...string[]] = [
    ...['/srv/mc/run', '--universe=/srv/mc', '-cp', '/srv/mc/a.jar:/lib/b.jar', '@/srv/mc/args'],
    ...['/link/x', '/link', '/srv/mc-data/x'],
  ] as [string, ...string[]];
  const copy = `/srv/mc/${copyName}`;
  expect(commandInCopy({ command, folder: '/srv/mc', copy }, '/link')).toEqual([
    ...[`${copy}/run`, `--universe=${copy}`, '-cp', `${copy}/a.jar:/lib/b.jar`, `@${copy}/args`],
    ...[`${copy}/x`, copy, '/srv/mc-data/x'],
  ]);
});
