import { constants } from 'node:fs';
import { copyFile, cp, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ifAbsent } from '../absent-file.ts';
import { patientRemoval } from '../busy-file.ts';
import { reportProgress } from './progress.ts';

const chunkBytes = 2 ** 20;
/** Otherwise the final flush of a large file would be one silent wait. */
const flushBytes = 2 ** 25;

/** Copies a file in chunks, each of which is progress, and sends it to the disk as it goes. Anything else is copied like `cp`. */
export const copySteadily = async (from: string, to: string): Promise<void> => {
  const stats = await lstat(from);
  let unreported = stats.size;
  if (!stats.isFile()) await cp(from, to);
  // One call of the system instead of ten: a database has a thousand small files.
  else if (stats.size <= chunkBytes) await copyFile(from, to, constants.COPYFILE_FICLONE);
  else if (!(await sharesBlocks(from, to))) {
    await copyInChunks(from, to, stats.mode & 0o777);
    unreported = 0;
  }
  reportProgress(unreported);
};

/** A file system that can share blocks needs neither time nor room for a copy. */
const sharesBlocks = (from: string, to: string): Promise<boolean> =>
  copyFile(from, to, constants.COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );

const copyInChunks = async (from: string, to: string, mode: number): Promise<void> => {
  await using source = await open(from, 'r');
  await using target = await open(to, 'w', mode);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let unflushed = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer);
    if (bytesRead === 0) break;
    await target.writeFile(buffer.subarray(0, bytesRead));
    unflushed += bytesRead;
    if (unflushed >= flushBytes) {
      await target.datasync();
      unflushed = 0;
    }
    reportProgress(bytesRead);
  }
};

export const copyTree = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    await (entry.isDirectory() ? copyTree(source, target) : copySteadily(source, target));
  }
};

/** Removes a folder entry by entry, each of which is progress. */
export const removeSteadily = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(ifAbsent([]))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeSteadily(path);
    else await rm(path, patientRemoval);
    reportProgress();
  }
  await rm(folder, patientRemoval);
};
