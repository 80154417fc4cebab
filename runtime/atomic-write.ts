import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { whenNotBusy } from './busy-file.ts';

/** Replaces a file so that a reader, even after a power cut, sees the old text or the new one, never a part. */
export const writeFileAtomically = async (path: string, text: string, mode: number): Promise<void> => {
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
    await rm(half, { force: true });
    throw error;
  }
};
