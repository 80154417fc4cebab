import { randomUUID } from 'node:crypto';
import { link, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { whenNotBusy } from '#runtime/busy-file.ts';

/** The files of an installed agent's program folder. */
export interface ProgramFiles {
  readonly folder: string;
  /** The program that the service starts. */
  readonly current: string;
  /** The next version, once it is complete and verified. */
  readonly next: string;
  /** The part downloaded so far of the program with this SHA-256. */
  download(sha256: string): string;
  /** The previous version, for a manual downgrade. */
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
 * Replaces the current version, which keeps running, with the next one. On Linux there is a complete program at the current path
 * at every moment. Windows cannot replace a running program but can rename it, so a power cut between the two renames leaves the
 * path empty; `previous` is then complete.
 */
export const swapPrograms = async ({ current, next, previous }: ProgramFiles): Promise<void> => {
  await putAside(previous);
  if (process.platform === 'win32') await whenNotBusy(() => rename(current, previous));
  else await link(current, previous);
  try {
    await whenNotBusy(() => rename(next, current));
  } catch (error) {
    if (process.platform === 'win32') await whenNotBusy(() => rename(previous, current));
    throw error;
  }
};

/**
 * Deletes a file. Windows keeps the file of a running program, such as a game's holder of the previous version, so it is renamed
 * instead.
 */
export const putAside = async (path: string): Promise<void> => {
  try {
    await rm(path, { force: true });
  } catch {
    await whenNotBusy(() => rename(path, join(dirname(path), `${oldPrefix}${randomUUID()}`)));
  }
};

/** Clears the way for the next version: of other versions, only running programs are kept. */
export const removeOthers = async (files: ProgramFiles, sha256: string): Promise<void> => {
  await putAside(files.next);
  const kept = basename(files.download(sha256));
  for (const name of await readdir(files.folder)) {
    const isPart = name.startsWith(partPrefix) && name.endsWith('.part') && name !== kept;
    // A program that still runs stays until the next time.
    if (isPart || name.startsWith(oldPrefix))
      await rm(join(files.folder, name), { force: true }).catch(() => undefined);
  }
};
