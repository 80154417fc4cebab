import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isElevated } from './is-elevated.ts';
import { runElevated } from './run-elevated.ts';

// Guarantee: whoever may write what administrators alone may write is one; looking changes nothing.
test('an administrator already', async () => {
  await using folder = await temporaryFolder('elevated');
  const file = join(folder.path, 'win.ini');
  expect(await isElevated(file)).toBe(false);
  await writeFile(file, 'as it was');
  expect(await isElevated(file)).toBe(true);
  expect(await readFile(file, 'utf8')).toBe('as it was');
});

// Guarantee: where nobody can be asked for an administrator's rights, nothing is run without them.
test('no way to ask', async () => {
  expect(await runElevated(process.execPath, ['-e', 'process.exit(0)'])).toEqual({
    outcome: 'impossible',
    exitCode: 1,
  });
});
