import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';

/**
 * The local socket of a data folder: abstract on Linux, a named pipe on Windows. The process that listens on it holds the
 * folder; the kernel frees the socket with the process, so no lock is ever left behind.
 */
export const controlAddress = async (home: string): Promise<string> => {
  const hash = createHash('sha256')
    .update(await realpath(home))
    .digest('hex')
    .slice(0, 32);
  return process.platform === 'win32' ? `\\\\.\\pipe\\castellan-${hash}` : `\0castellan-${hash}`;
};
