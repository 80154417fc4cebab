import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { removeLeftHalves } from './pinned-package.ts';

// Guarantee: what killed downloads have left is removed; one that may still be running is not, and nothing else is.
test('left halves', async () => {
  await using folder = await temporaryFolder('packages');
  const nowMs = Date.now();
  const dayAgo = new Date(nowMs - 25 * 60 * 60_000);
  for (const name of ['half-old', 'half-new', '42.0.0-linux']) {
    await mkdir(join(folder.path, name));
    await writeFile(join(folder.path, name, 'file'), '');
    if (name !== 'half-new') await utimes(join(folder.path, name), dayAgo, dayAgo);
  }
  await removeLeftHalves(folder.path, nowMs);
  expect((await readdir(folder.path)).sort()).toEqual(['42.0.0-linux', 'half-new']);
});
