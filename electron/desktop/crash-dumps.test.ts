import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { pruneCrashDumps } from './crash-dumps.ts';

// Guarantee: dumps are capped in number and age, their notes go with them, and nothing else in the folder is touched.
test('old dumps', async () => {
  await using folder = await temporaryFolder('dumps');
  await pruneCrashDumps(join(folder.path, 'none'), 0);
  const completed = join(folder.path, 'completed');
  await mkdir(completed);
  const nowMs = Date.UTC(2026, 0, 31);
  for (let day = 0; day < 40; day += 2) {
    for (const ending of ['dmp', 'meta']) {
      const path = join(completed, `${String(day).padStart(2, '0')}.${ending}`);
      await writeFile(path, '');
      await utimes(path, (nowMs - day * 86_400_000) / 1000, (nowMs - day * 86_400_000) / 1000);
    }
  }
  await writeFile(join(folder.path, 'settings.dat'), '');
  await pruneCrashDumps(folder.path, nowMs);
  const kept = Array.from({ length: 10 }, (_, index) => String(index * 2).padStart(2, '0'));
  expect((await readdir(completed)).toSorted()).toEqual(
    kept.flatMap((name) => [`${name}.dmp`, `${name}.meta`]),
  );
  await pruneCrashDumps(folder.path, nowMs + 25 * 86_400_000);
  expect((await readdir(completed)).filter((name) => name.endsWith('.dmp'))).toHaveLength(3);
  expect(await readdir(folder.path)).toContain('settings.dat');
});
