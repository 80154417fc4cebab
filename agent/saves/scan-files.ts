import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isInsidePath } from './backup-folder.ts';
import { SavesError } from './saves-error.ts';

export interface FoundEntry {
  /** Relative to the place, with `/` between folders; empty for the place itself. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface FoundFiles {
  /** A folder precedes its contents. */
  readonly entries: readonly FoundEntry[];
  /** Links, pipes and sockets: they are neither followed nor copied. */
  readonly leftOut: readonly string[];
  /** Names that are not UTF-8, and paths that are too long: a backup cannot store them. */
  readonly unnamed: readonly string[];
}

const mostEntries = 2_000_000;

/**
 * All files and folders below a folder, which must not be a link itself.
 * @param passing names of files that are not part of a save
 */
export const scanFiles = async (place: string, passing: readonly string[]): Promise<FoundFiles> => {
  const entries: FoundEntry[] = [];
  const leftOut: string[] = [];
  const unnamed: string[] = [];
  const look = async (path: string): Promise<void> => {
    const { size, mtimeMs, mode, uid, gid } = await lstat(join(place, path));
    const isFolder = (mode & 0o170_000) === 0o040_000;
    const isFile = (mode & 0o170_000) === 0o100_000;
    if (!isFolder && !isFile) return void leftOut.push(path);
    entries.push({ path, isFolder, bytes: isFile ? size : 0, mtimeMs, mode: mode & 0o7777, uid, gid });
    if (entries.length > mostEntries) throw new SavesError(`${place} holds too many files for a backup.`);
    if (!isFolder) return;
    for (const bytes of (await readdir(join(place, path), { encoding: 'buffer' })).sort(Buffer.compare)) {
      const name = bytes.toString();
      if (passing.includes(name)) continue;
      const below = path === '' ? name : `${path}/${name}`;
      if (!bytes.equals(Buffer.from(name)) || !isInsidePath(below)) {
        unnamed.push(below);
        continue;
      }
      await look(below).catch((error: NodeJS.ErrnoException) => {
        // Games write a file beside the old one and rename it, so it may be gone.
        if (error.code !== 'ENOENT') throw error;
      });
    }
  };
  await look('');
  return { entries, leftOut, unnamed };
};
