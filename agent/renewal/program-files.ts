import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { whenNotBusy } from '#runtime/busy-file.ts';

/** The files of an installed agent's program folder. */
export interface ProgramFiles {
  readonly folder: string;
  /** What the service starts. */
  readonly current: string;
  /** The next version once it is whole and verified. */
  readonly next: string;
  /** What has come of it so far. */
  readonly download: string;
  /** The version before, to go back to by hand. */
  readonly previous: string;
}

export const programFiles = (folder: string): ProgramFiles => {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return {
    folder,
    current: join(folder, `castellan-agent${suffix}`),
    next: join(folder, `castellan-agent-next${suffix}`),
    download: join(folder, 'castellan-agent-next.part'),
    previous: join(folder, `castellan-agent-previous${suffix}`),
  };
};

/**
 * Puts the next version in the place of the current one, which runs on. At every moment Linux finds a whole program at the
 * current place. Windows replaces no running program but renames it, so a power cut between the two renames leaves the place
 * empty; `previous` is whole then.
 */
export const swapPrograms = async ({ current, next, previous }: ProgramFiles): Promise<void> => {
  await rm(previous, { force: true });
  if (process.platform === 'win32') await whenNotBusy(() => rename(current, previous));
  else await link(current, previous);
  try {
    await whenNotBusy(() => rename(next, current));
  } catch (error) {
    if (process.platform === 'win32') await rename(previous, current);
    throw error;
  }
};
