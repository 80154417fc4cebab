import type { Stats } from 'node:fs';
import { isSecondName, mostLevels, type OpenedFolder } from '../folders/opened-folder.ts';
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

interface FoundFiles {
  /** A folder precedes its contents. */
  readonly entries: readonly FoundEntry[];
  /** Links, pipes and sockets, and for root files that may be another account's: they are neither followed nor copied. */
  readonly leftOut: readonly string[];
  /** Names that are not UTF-8, and paths that are too long: a backup cannot store them. */
  readonly unnamed: readonly string[];
}

const mostEntries = 2_000_000;
/** Leaves room for the folders around the place. */
const mostFolders = mostLevels / 2;

/**
 * All files and folders below a folder.
 * @param passing names of files that are not part of a save
 */
export const scanFiles = async (place: OpenedFolder, passing: readonly string[]): Promise<FoundFiles> => {
  const entries: FoundEntry[] = [];
  const leftOut: string[] = [];
  const unnamed: string[] = [];
  const add = (path: string, { size, mtimeMs, mode, uid, gid }: Stats, isFolder: boolean) => {
    entries.push({ path, isFolder, bytes: isFolder ? 0 : size, mtimeMs, mode: mode & 0o7777, uid, gid });
    if (entries.length > mostEntries)
      throw new SavesError(`${place.shown} holds too many files for a backup.`);
  };
  const lookInto = async (folder: OpenedFolder, path: string): Promise<void> => {
    add(path, await folder.stat(), true);
    for (const bytes of await folder.names()) {
      const name = bytes.toString();
      if (passing.includes(name)) continue;
      const below = path === '' ? name : `${path}/${name}`;
      if (!bytes.equals(Buffer.from(name)) || !isInsidePath(below) || below.split('/').length > mostFolders) {
        unnamed.push(below);
        continue;
      }
      await look(folder, name, below).catch((error: NodeJS.ErrnoException) => {
        // Games write a file beside the old one and rename it, so it may be gone.
        if (error.code === 'ENOENT') return;
        // By now a link.
        if (error.code !== 'ELOOP' && error.code !== 'ENOTDIR') throw error;
        leftOut.push(below);
      });
    }
  };
  const look = async (folder: OpenedFolder, name: string, path: string): Promise<void> => {
    const facts = await folder.factsOf(name);
    if (facts.isDirectory()) {
      await using inner = await folder.openFolder(name);
      await lookInto(inner, path);
      return;
    }
    if (!facts.isFile() || isSecondName(facts, (await folder.stat()).uid)) leftOut.push(path);
    else add(path, facts, false);
  };
  await lookInto(place, '');
  return { entries, leftOut, unnamed };
};
