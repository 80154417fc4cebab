import { chmod, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { whenNotBusy } from './busy-file.ts';
import { reportProgress } from './disk-worker/progress.ts';

/** Makes a rename in the folder survive a power cut; Windows does not open folders for this. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  await using folder = await open(path, 'r');
  await folder.sync();
};

/** Flushes everything below a folder to disk, so that a rename that marks it as complete tells the truth. */
export const syncTree = async (path: string): Promise<void> => {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await syncTree(inner);
    else if (entry.isFile()) await syncFile(inner);
    reportProgress();
  }
  await syncFolder(path);
};

/** Flushes a file to disk; on Windows, the rename that gave it its name too. A read-only one stays so. */
export const syncFile = (path: string): Promise<void> =>
  process.platform === 'win32' ? syncWritable(path) : flush(path, 'r');

const flush = async (path: string, flags: 'r' | 'r+'): Promise<void> => {
  await using file = await whenNotBusy(() => open(path, flags));
  await file.sync();
};

/**
 * Windows flushes only files that are open for writing (learn.microsoft.com, "FlushFileBuffers"), and refuses that for one with the
 * attribute "read-only" by the number that a scanner's hold has, too: waiting would not help.
 */
export const syncWritable = async (path: string): Promise<void> => {
  const { mode } = await stat(path);
  if ((mode & ownerMayWrite) !== 0) return flush(path, 'r+');
  await chmod(path, mode | ownerMayWrite);
  try {
    await flush(path, 'r+');
  } finally {
    await chmod(path, mode);
  }
};

const ownerMayWrite = 0o200;
