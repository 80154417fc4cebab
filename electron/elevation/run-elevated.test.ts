import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asExitCode } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isElevated } from './is-elevated.ts';
import { elevationBy, elevationOutcome } from './run-elevated.ts';

// Guarantee: an account that may write what only administrators may write counts as one; looking changes nothing.
test('an administrator already', async () => {
  await using folder = await temporaryFolder('elevated');
  const file = join(folder.path, 'win.ini');
  expect(await isElevated(file)).toBe(false);
  await writeFile(file, 'as before');
  expect(await isElevated(file)).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('as before');
});

// Guarantee: where no one can be asked for an administrator's rights, nothing runs without them.
test('no way to ask', async () => {
  const elevate = elevationBy({
    program: process.execPath,
    programsFolder: import.meta.dirname,
    node: process.execPath,
    isClosed: async () => true,
    owner: () => 0n,
  });
  expect(await elevate({ act: 'firewall', open: 3001, close: [] })).toEqual({
    outcome: 'impossible',
    exitCode: 1,
  });
});

// Guarantee: a refusal is distinguished from a failure, and from an account that may not even ask.
test('what Windows answered', () => {
  const answers = [0, 1, ...[740, 1223, 1260, 225].map(asExitCode)];
  expect(answers.map(elevationOutcome)).toEqual([
    'done',
    'failed',
    'impossible',
    'refused',
    'impossible',
    'failed',
  ]);
});
