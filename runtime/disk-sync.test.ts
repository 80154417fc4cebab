import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testIf } from '#harness/test-if.ts';
import { syncTree, syncWritable } from './disk-sync.ts';

// Guarantee: a file that may only be read, as games and sync programs leave them in what is copied, is flushed at once and stays so.
testIf(process.getuid?.() === 0)('files that may only be read', async () => {
  await using folder = await temporaryFolder('sync');
  const file = join(folder.path, 'inner', 'read-only');
  await chmod(folder.path, 0o777);
  process.seteuid?.(65_534);
  try {
    await mkdir(join(folder.path, 'inner'));
    await writeFile(file, 'kept', { mode: 0o400 });
    for (const sync of [() => syncTree(folder.path), () => syncWritable(file)]) {
      await sync();
      expect([(await stat(file)).mode & 0o777, await readFile(file, 'utf8')]).toEqual([0o400, 'kept']);
    }
    await chmod(file, 0o600);
    await syncWritable(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  } finally {
    process.seteuid?.(0);
  }
});
