import type { Stats } from 'node:fs';
import {
  chmod,
  constants,
  copyFile,
  lchown,
  lstat,
  mkdir,
  readdir,
  realpath,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { ifAbsent } from '#runtime/absent-file.ts';
import { isInside } from '../../saves/save-places.ts';
import type { Move } from '../change-journal.ts';
import { demandRootAlone } from '../folder/root-folder.ts';
import { isLeftOut } from './copy-paths.ts';
import { ModsRehearsalError } from './rehearsal-error.ts';

interface CopyOptions {
  /** By its path below the folder, with `/`. */
  readonly isLeftOut: (path: string) => boolean;
  readonly signal: AbortSignal;
}

const mostEntries = 500_000;

/** Disk space of a copy, in bytes. @throws {ModsRehearsalError} */
export const sizeOfCopy = async (folder: string, options: CopyOptions): Promise<number> => {
  let bytes = 0;
  await walk(folder, options, async (_, facts) => {
    if (facts.isFile()) bytes += facts.size;
  });
  return bytes;
};

/**
 * Copies files and folders with their owners and modes. Where the disk supports it, a copy shares its blocks with the original
 * until one of them is written; it never shares the file itself, since a server also writes into its libraries and jars.
 * @throws {ModsRehearsalError}
 */
export const copyTree = (from: string, to: string, options: CopyOptions): Promise<void> =>
  walk(from, options, async (path, facts) => {
    const target = join(to, path);
    if (facts.isDirectory()) await mkdir(target, { recursive: true, mode: 0o700 });
    // It does not write through a link that the game's account has put there.
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

/** Puts a file or folder of the new set in its place in the copy. */
const putInCopy = async (from: string, to: string, signal: AbortSignal): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await copyTree(from, to, { isLeftOut: () => false, signal });
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
      // Writing through it would write into the running server.
      if (facts.isDirectory())
        throw new ModsRehearsalError(
          `${join(root, path)} is a link to a folder, which the copy would share with the server.`,
        );
    }
    if (!facts.isDirectory() && !facts.isFile()) return;
    if (facts.isDirectory()) demandRootAlone(join(root, path), facts);
    await visit(path, facts);
    if (!facts.isDirectory()) return;
    for (const name of await readdir(join(root, path))) {
      const below = path === '' ? name : `${path}/${name}`;
      if (isLeftOut(below)) continue;
      // The running game has removed it in the meantime.
      await look(below).catch(ifAbsent(undefined));
    }
  };
  await look('');
};

export interface RehearsalCopy {
  readonly game: GameId;
  /** The server's folder, without links. */
  readonly folder: string;
  readonly copy: string;
  /** Folders of the world. */
  readonly places: readonly string[];
  /** The new set. */
  readonly moves: readonly Pick<Move, 'place' | 'fresh'>[];
  readonly signal: AbortSignal;
}

const pathsOf = ({ folder, places, moves }: RehearsalCopy) => {
  const below = (path: string) => relative(folder, path).replaceAll('\\', '/');
  return { worlds: new Set(places.map(below)), replaced: new Set(moves.map(({ place }) => below(place))) };
};

/** Copies everything but the worlds, with the new set. @throws {ModsRehearsalError} */
export const copyServer = async (asked: RehearsalCopy): Promise<void> => {
  const { game, folder, copy, moves, signal } = asked;
  const { worlds, replaced } = pathsOf(asked);
  const isOfRunning = isLeftOut(game);
  await copyTree(folder, copy, {
    isLeftOut: (path) => isOfRunning(path) || worlds.has(path) || replaced.has(path),
    signal,
  });
  for (const { place, fresh } of moves) {
    if (!isInside(folder, place))
      throw new ModsRehearsalError(`${place} is outside the folder of the server.`);
    if (fresh !== null) await putInCopy(fresh, join(copy, relative(folder, place)), signal);
  }
};

/** Call it while the running game does not write them. @throws {ModsRehearsalError} */
export const copyWorlds = async (asked: RehearsalCopy): Promise<void> => {
  const { game, folder, copy, places, signal } = asked;
  const { worlds, replaced } = pathsOf(asked);
  for (const place of places) {
    const world = relative(folder, place);
    const isElsewhere = (path: string) => {
      const whole = join(world, path).replaceAll('\\', '/');
      return worlds.has(whole) || replaced.has(whole);
    };
    await copyTree(place, join(copy, world), {
      isLeftOut: (path) => isPassing(game, path) || isElsewhere(path),
      signal,
    });
  }
};

/** Names of files in a world that belong to the running game. */
const isPassing = (game: GameId, path: string): boolean =>
  gameOf(game).saves.passing.includes(path.split(/[\\/]/).at(-1) ?? '');

/** The ending holder, and a virus scanner, may hold files for a moment. */
export const removeTree = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
