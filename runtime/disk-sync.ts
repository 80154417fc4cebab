import { open, readdir } from 'node:fs/promises';
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

/** Flushes a file to disk; on Windows, the rename that gave it its name too. */
export const syncFile = async (path: string): Promise<void> => {
  // Windows flushes only files that are open for writing.
  await using file = await whenNotBusy(() => open(path, 'r+'));
  await file.sync();
};
