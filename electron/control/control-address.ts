import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';

/**
 * The local socket of a home: an abstract one on Linux, a named pipe on Windows. Whoever listens on it holds the home;
 * the kernel frees it with the process, so no lock is ever left behind.
 */
export const controlAddress = async (home: string): Promise<string> => {
  const hash = createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 32);
  return process.platform === 'win32' ? `\\\\.\\pipe\\castellan-${hash}` : `\0castellan-${hash}`;
};
