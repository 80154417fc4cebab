import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** No build takes this long without writing anything. */
const abandonedMs = 10 * 60_000;

const prefixOf = (pid: number | undefined) => `.half-${pid}-`;

/** A folder on the same disk as the programs, from which finished ones are moved there. */
export const makeHalfFolder = async (programs: string): Promise<string> => {
  await mkdir(programs, { recursive: true });
  return mkdtemp(join(programs, prefixOf(process.pid)));
};

/** What a process is building, or was when it ended. */
export const halfFolders = (programs: string, pid: number | undefined): string[] => {
  try {
    const names = readdirSync(programs).filter((name) => name.startsWith(prefixOf(pid)));
    return names.map((name) => join(programs, name));
  } catch {
    // Nothing was ever built here.
    return [];
  }
};

/** Deletes what builds left that were killed together with the process that started them. */
export const deleteAbandoned = async (programs: string): Promise<void> => {
  const names = await readdir(programs).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('.half-'))) {
    const path = join(programs, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > abandonedMs) await rm(path, { recursive: true, force: true });
  }
};
