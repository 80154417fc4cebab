import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The total size of the files in a folder; what cannot be read counts as nothing. */
export const folderBytes = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  }
  return bytes;
};
