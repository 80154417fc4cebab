import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { makeHome } from './home.ts';
import { StartupError } from './program.ts';

// Guarantee: where file modes have no effect, a new data folder is closed to other accounts before anything is in it; one that
// could not be closed stays unused until it can be, and one in use keeps the permissions that someone gave it.
test('a new home is closed while it is empty', async () => {
  await using folder = await temporaryFolder('home');
  const home = join(folder.path, 'Castellan');
  const closed: string[][] = [];
  const failing = async () => {
    throw new Error('no right to do that');
  };
  await expect(makeHome(home, failing)).rejects.toThrow(StartupError);
  expect(await readdir(home)).toEqual([]);

  const close = async (path: string) => void closed.push([path, ...(await readdir(path))]);
  await makeHome(home, close);
  expect(closed).toEqual([[home]]);
  await makeHome(home, close);
  expect(closed).toHaveLength(1);
  expect(await readdir(home)).toEqual(['logs']);
});
