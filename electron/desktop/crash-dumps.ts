import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ifAbsent } from '#runtime/absent-file.ts';

const dayMs = 86_400_000;
const keptDays = 30;
const keptDumps = 10;

/** Deletes old dumps and all but the newest few, so that a page that keeps crashing does not fill the disk. */
export const pruneCrashDumps = async (folder: string, nowMs: number): Promise<void> => {
  const names = await readdir(folder, { recursive: true }).catch(ifAbsent([]));
  const dumps = await Promise.all(
    names
      .filter((name) => name.endsWith('.dmp'))
      .map(async (name) => ({ path: join(folder, name), atMs: (await lstat(join(folder, name))).mtimeMs })),
  );
  const old = dumps
    .toSorted((a, b) => b.atMs - a.atMs)
    .filter(({ atMs }, index) => index >= keptDumps || nowMs - atMs > keptDays * dayMs);
  for (const { path } of old) {
    await rm(path, { force: true });
    // Crashpad's own note about it.
    await rm(path.replace(/dmp$/, 'meta'), { force: true });
  }
};
