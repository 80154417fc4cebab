import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { patientRemoval, whenNotBusy } from './busy-file.ts';

/** Replaces a file so that a reader, even after a power cut, sees the old text or the new one, never a part. */
export const writeFileAtomically = async (
  path: string,
  text: string | Buffer,
  mode: number,
): Promise<void> => {
  const half = `${path}.${randomUUID()}`;
  try {
    const file = await open(half, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await whenNotBusy(() => rename(half, path));
  } catch (error) {
    await rm(half, patientRemoval);
    throw error;
  }
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Removes what killed writes have left of a file. The caller holds the lock under which the file is written. */
export const removeHalfWritten = async (path: string): Promise<void> => {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path)))
    if (name.startsWith(prefix) && uuid.test(name.slice(prefix.length)))
      await rm(join(dirname(path), name), patientRemoval);
};
