import type { Stats } from 'node:fs';
import { chmod, constants, copyFile, lchown, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ModsRehearsalError } from './rehearsal-error.ts';

export interface CopyOptions {
  /** By its path below the folder, with `/`. */
  readonly isLeftOut: (path: string) => boolean;
  readonly signal: AbortSignal;
}

const mostEntries = 500_000;

/** What a copy takes on the disk, in bytes. @throws {ModsRehearsalError} */
export const sizeOfCopy = async (folder: string, options: CopyOptions): Promise<number> => {
  let bytes = 0;
  await walk(folder, options, async (_, facts) => {
    if (facts.isFile()) bytes += facts.size;
  });
  return bytes;
};

/**
 * Copies files and folders with their owners and modes. Where the disk can, a copy shares its blocks with the original until
 * one of them is written; it never shares the file itself, since a server writes into its libraries and jars, too.
 * @throws {ModsRehearsalError}
 */
export const copyTree = (from: string, to: string, options: CopyOptions): Promise<void> =>
  walk(from, options, async (path, facts) => {
    const target = join(to, path);
    if (facts.isDirectory()) await mkdir(target, { recursive: true, mode: 0o700 });
    // A link that the account of the game has put there is not written through.
    else await copyFile(join(from, path), target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await likeOriginal(target, facts);
  });

type Facts = Stats;

const likeOriginal = async (target: string, facts: Facts): Promise<void> => {
  const { uid, gid, mode } = facts;
  const isFolder = facts.isDirectory();
  if (process.getuid?.() === 0) await lchown(target, uid, gid);
  // The agent has to be able to remove it.
  if (process.platform !== 'win32') await chmod(target, (mode & 0o777) | (isFolder ? 0o700 : 0o600));
};

/** A file or folder of the new set, in its place in the copy. */
export const putInCopy = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await copyTree(from, to, { isLeftOut: () => false, signal });
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(to));
  await walk(to, { isLeftOut: () => false, signal }, (path) => lchown(join(to, path), uid, gid));
};

const walk = async (
  root: string,
  { isLeftOut, signal }: CopyOptions,
  visit: (path: string, facts: Facts) => Promise<void>,
): Promise<void> => {
  let count = 0;
  const look = async (path: string): Promise<void> => {
    signal.throwIfAborted();
    count += 1;
    if (count > mostEntries)
      throw new ModsRehearsalError(`The folder ${root} holds too many files to be copied.`);
    let facts = await lstat(join(root, path));
    if (facts.isSymbolicLink()) {
      const real = await realpath(join(root, path)).catch(() => null);
      if (real === null) return;
      facts = await stat(real);
      // What is written there would be written into the running server.
      if (facts.isDirectory())
        throw new ModsRehearsalError(
          `${join(root, path)} is a link to a folder, which the copy would share with the server.`,
        );
    }
    if (!facts.isDirectory() && !facts.isFile()) return;
    await visit(path, facts);
    if (!facts.isDirectory()) return;
    for (const name of await readdir(join(root, path))) {
      const below = path === '' ? name : `${path}/${name}`;
      if (isLeftOut(below)) continue;
      await look(below).catch((error: NodeJS.ErrnoException) => {
        // The running game has removed it meanwhile.
        if (error.code !== 'ENOENT') throw error;
      });
    }
  };
  await look('');
};
