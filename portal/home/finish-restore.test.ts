import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { finishRestore } from './finish-restore.ts';
import { tryToLockHome } from './home-lock.ts';

// Guarantee: what a killed restore left beside the data is removed by the next command or start, which says so once; not while
// another process holds the home, which may be restoring at the moment.
test('the copy of a killed restore', async () => {
  await using folder = await temporaryFolder('portal-restore');
  const variables = { PORTAL_HOME: folder.path };
  await mkdir(join(folder.path, 'restore.part', 'postgres'), { recursive: true });
  await writeFile(join(folder.path, 'restore.part', '.env'), '');
  const said: string[] = [];
  const finish = () => finishRestore(variables, (words) => said.push(words));

  const lock = await tryToLockHome(folder.path, 'command');
  if (!lock.held) throw new Error('held by another');
  await finish();
  await lock[Symbol.asyncDispose]();
  expect([await readdir(folder.path), said]).toEqual([expect.arrayContaining(['restore.part']), []]);

  await finish();
  await finish();
  expect(await readdir(folder.path)).not.toContain('restore.part');
  expect(said).toEqual([expect.stringContaining('interrupted before it had replaced anything')]);
});
