import { basename, dirname, isAbsolute, relative, resolve } from 'node:path';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { ServerFolder } from '#games/saves-layout.ts';
import { answers, silentFolder } from '#runtime/answering-folder.ts';
import { noneOrFault, openNamedFolder } from '../folders/opened-folder.ts';
import { SavesError } from './saves-error.ts';

const largestSettingsBytes = 4 * 1024 * 1024;

interface SavePlaces {
  /** Real paths; the game's own world first. */
  readonly places: readonly string[];
  /** What looks like a world and is not among them, for people. */
  readonly leftOut: readonly string[];
}

/**
 * The folders that hold a server's worlds: those that the machine's owner named, else those from the game's own settings, which
 * must be inside the server's folder.
 * @param argsOf returns the start arguments of the game in this folder
 * @throws {SavesError}
 */
export const findSavePlaces = async (
  game: GameId,
  folder: string,
  named: readonly string[] | null,
  argsOf: (root: string) => Promise<readonly string[]>,
): Promise<SavePlaces> => {
  if (named)
    return {
      places: await Promise.all(named.map((place) => realFolder(resolve(folder, place)))),
      leftOut: [],
    };
  const root = await realFolder(folder);
  const found = await gameOf(game)
    .saves.find(serverFolder(root), await argsOf(root))
    .catch((error: Error) => {
      throw new SavesError(`The game's settings cannot be read: ${error.message}.`);
    });
  if (found.places.length === 0)
    throw new SavesError(
      `No saved world was found in ${root}. Name its folder in config.json as saves.from.`,
    );
  const places = await Promise.all(found.places.map((place) => realFolder(resolve(root, place))));
  const [main] = places;
  if (main !== undefined && !isInside(root, main)) {
    const others =
      found.leftOut.length === 0 ? '' : `, and what else is needed of ${found.leftOut.join(', ')}`;
    throw new SavesError(
      `The game keeps its world in ${main}, outside the server's folder. Name that folder in config.json as saves.from${others}.`,
    );
  }
  const inside = places.filter((place) => isInside(root, place));
  return {
    places: [...new Set(inside)],
    leftOut: [...found.leftOut, ...places.filter((place) => !isInside(root, place))],
  };
};

/** Below the folder, and not the folder itself. */
export const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
};

/** @throws {SavesError} for a folder on a network drive that is gone */
export const demandAnswer = async (path: string): Promise<void> => {
  if (!(await answers(path))) throw new SavesError(silentFolder(path));
};

/** Resolves to the real path. @throws {SavesError} or {StartupError} */
export const realFolder = async (path: string): Promise<string> => {
  await demandAnswer(path);
  await using folder = await openNamedFolder(path).catch((error: NodeJS.ErrnoException) => {
    const { code } = error;
    if (code === undefined) throw error;
    if (code === 'ENOTDIR') throw new SavesError(`${path} is no folder.`);
    throw new SavesError(`${path} ${code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`}.`);
  });
  return folder.shown;
};

/** The part of a server's folder that a game's layout may read. */
export const serverFolder = (root: string): ServerFolder => {
  const entries = async (path: string) => {
    try {
      await using folder = await openNamedFolder(resolve(root, path));
      return await folder.entries();
    } catch {
      return [];
    }
  };
  return {
    async read(path) {
      const whole = resolve(root, path);
      await using folder = await openNamedFolder(dirname(whole)).catch(() => null);
      await using file = await folder?.openFile(basename(whole)).catch(noneOrFault);
      return file && (await file.stat()).size <= largestSettingsBytes ? await file.readFile() : null;
    },
    folders: async (path) =>
      (await entries(path)).filter((entry) => entry.isDirectory()).map(({ name }) => name),
    files: async (path) => (await entries(path)).filter((entry) => entry.isFile()).map(({ name }) => name),
    links: async (path) =>
      (await entries(path)).filter((entry) => entry.isSymbolicLink()).map(({ name }) => name),
  };
};
