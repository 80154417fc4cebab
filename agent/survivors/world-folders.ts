import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** A folder in which ARK keeps a world and the profiles of its players. */
export interface WorldFolder {
  readonly path: string;
  readonly worlds: readonly { readonly path: string; readonly writtenAtMs: number }[];
}

/** Below `Saved`: `SavedArks`, `SavedArks/TheIsland_WP`, a configured folder, and maps in that. */
export const deepest = 2;
const mostFolders = 500;
const mostFiles = 20_000;
/** A running game saves its world every quarter of an hour; one that was not saved for this long is not running. */
const idleMs = 24 * 60 * 60 * 1000;

/** Where the game keeps its worlds; the folder itself where it is no server's. */
export const savedFolder = async (folder: string): Promise<string> => {
  const saved = join(folder, 'ShooterGame', 'Saved');
  const facts = await stat(saved).catch(() => null);
  return facts?.isDirectory() === true ? saved : folder;
};

/** All folders with a world in the server's folder, or the folder itself. Links are not followed. */
export const findWorldFolders = async (folder: string): Promise<WorldFolder[]> => {
  const found: WorldFolder[] = [];
  let looked = 0;
  const look = async (path: string, depth: number): Promise<void> => {
    looked += 1;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    if (looked > mostFolders || entries.length > mostFiles) return;
    const names = entries.filter((entry) => entry.isFile() && /\.ark$/i.test(entry.name));
    const worlds = await Promise.all(
      names.map(async ({ name }) => {
        const file = join(path, name);
        const facts = await stat(file).catch(() => null);
        return facts ? [{ path: file, writtenAtMs: facts.mtimeMs }] : [];
      }),
    );
    const hasProfiles = entries.some((entry) => entry.isFile() && /\.arkprofile$/i.test(entry.name));
    if (worlds.length > 0 || hasProfiles) found.push({ path, worlds: worlds.flat() });
    if (depth >= deepest) return;
    // Hidden ones were put aside by a restore.
    const inside = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    for (const entry of inside) await look(join(path, entry.name), depth + 1);
  };
  await look(await savedFolder(folder), 0);
  return found;
};

/** The map and the folder of saves in a command that starts the game, such as `TheIsland?listen?AltSaveDirectoryName=One`. */
export const worldOfCommand = (command: readonly string[]): { map: string | null; folder: string | null } => {
  const text = command.join(' ');
  return {
    map: /(?:^|[\s"'])([A-Za-z]\w*)\?/.exec(text)?.[1] ?? null,
    folder: /[?-]AltSaveDirectoryName=([^?\s"']+)/i.exec(text)?.[1] ?? null,
  };
};

type ChosenWorld = { readonly world: WorldFolder } | { readonly refused: string };

/** The world that this server plays; if two could be it, none. */
export const chooseWorld = (
  folders: readonly WorldFolder[],
  told: { readonly map: string | null; readonly folder: string | null },
): ChosenWorld => {
  const isMap = ({ path, worlds }: WorldFolder, map: string) =>
    [map, `${map}_WP`].some(
      (name) => basename(path) === name || worlds.some((world) => basename(world.path) === `${name}.ark`),
    );
  const inFolder = folders.filter(
    ({ path }) => told.folder === null || path.split(/[\\/]/).includes(told.folder),
  );
  const fitting = inFolder.filter((one) => told.map === null || isMap(one, told.map));
  const [only] = fitting;
  if (!only) return { refused: 'No saved world of this server was found below its folder.' };
  if (fitting.length === 1) return { world: only };
  const writtenAt = ({ worlds }: WorldFolder) => Math.max(0, ...worlds.map(({ writtenAtMs }) => writtenAtMs));
  const [newest, next] = fitting.toSorted((one, other) => writtenAt(other) - writtenAt(one));
  if (newest && next && writtenAt(newest) - writtenAt(next) > idleMs) return { world: newest };
  const names = fitting.map(({ path }) => basename(path)).join(', ');
  return {
    refused: `Several saved worlds could be this server's (${names}). Name its folder in the agent's config.json as survivors.folder.`,
  };
};
