import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { downloadedRuntime } from './electron-runtime.ts';

// Guarantee: a download that was killed half-way, or is of another version, counts as missing.
test("Electron's own download", async () => {
  await using folder = await temporaryFolder('electron');
  const at = (name: string) => join(folder.path, name);
  const found = () => downloadedRuntime(folder.path, 'linux');
  expect(await found()).toBeNull();
  await writeFile(at('package.json'), JSON.stringify({ version: '42.0.0' }));
  await mkdir(at('dist'));
  await writeFile(at('dist/electron'), '');
  await writeFile(at('dist/version'), 'v42.0.0\n');
  // The last files of the archive may be missing.
  expect(await found()).toBeNull();
  await writeFile(at('path.txt'), 'electron');
  expect(await found()).toEqual({ folder: at('dist'), executable: at('dist/electron'), version: '42.0.0' });
  await writeFile(at('dist/version'), '41.0.0');
  expect(await found()).toBeNull();
});
