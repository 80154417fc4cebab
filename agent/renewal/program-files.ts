import { randomUUID } from 'node:crypto';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { whenNotBusy } from '#runtime/busy-file.ts';

/** The files of an installed agent's program folder. */
export interface ProgramFiles {
  readonly folder: string;
  /** What the service starts. */
  readonly current: string;
  /** The next version once it is whole and verified. */
  readonly next: string;
  /** What was fetched so far of the program with this SHA-256. */
  download(sha256: string): string;
  /** The version before, to go back to by hand. */
  readonly previous: string;
}

const partPrefix = 'castellan-agent-next-';
const oldPrefix = '.old-';

export const programFiles = (folder: string): ProgramFiles => {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    folder,
    current: join(folder, `castellan-agent${suffix}`),
    next: join(folder, `castellan-agent-next${suffix}`),
    download: (sha256) => join(folder, `${partPrefix}${sha256.slice(0, 16)}.part`),
    previous: join(folder, `castellan-agent-previous${suffix}`),
  };
};

/**
 * Puts the next version in the place of the current one, which runs on. At every moment Linux finds a whole program at the
 * current place. Windows replaces no running program but renames it, so a power cut between the two renames leaves the place
 * empty; `previous` is whole then.
 */
export const swapPrograms = async ({ current, next, previous }: ProgramFiles): Promise<void> => {
  await putAside(previous);
  if (process.platform === 'win32') await whenNotBusy(() => rename(current, previous));
  else await link(current, previous);
  try {
    await whenNotBusy(() => rename(next, current));
  } catch (error) {
    if (process.platform === 'win32') await rename(previous, current);
    throw error;
  }
};

/** Deletes a file. Windows keeps the file of a running program, such as a game's holder of the version before, but renames it. */
export const putAside = async (path: string): Promise<void> => {
  try {
    await rm(path, { force: true });
  } catch {
    await rename(path, join(dirname(path), `${oldPrefix}${randomUUID()}`));
  }
};

/** Clears the way for the next version: of others nothing is kept that no running program needs. */
export const removeOthers = async (files: ProgramFiles, sha256: string): Promise<void> => {
  await putAside(files.next);
  const kept = basename(files.download(sha256));
  for (const name of await readdir(files.folder)) {
    const isPart = name.startsWith(partPrefix) && name.endsWith('.part') && name !== kept;
    // One that still runs stays until the next time.
    if (isPart || name.startsWith(oldPrefix))
      await rm(join(files.folder, name), { force: true }).catch(() => undefined);
  }
};
