import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';

/** More than the files of a run take at any moment, with its Postgres. */
const roomyBytes = 6 * 2 ** 30;
const folder = '/dev/shm';

/**
 * A file system in memory, on which copies of databases and worlds take half the processor time of a disk. Undefined where there is none,
 * where it has no room (a container's has 64 MiB), and where no program may be started from it.
 */
export const memoryFolder = (): string | undefined => {
  try {
    const [, , , options = ''] =
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .findLast(([, where]) => where === folder) ?? [];
    const { bavail, bsize } = statfsSync(folder);
    const isRoomy = bavail * bsize > roomyBytes && freemem() > roomyBytes;
    return isRoomy && options !== '' && !options.split(',').includes('noexec') ? folder : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
