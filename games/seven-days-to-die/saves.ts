import type { GameSaves, ServerFolder } from '../saves-layout.ts';
import { namedSettingsFile, sevenDaysLayout } from './layout.ts';
import { sevenDaysSetting } from './settings-file.ts';

interface NamedFolders {
  /** `SaveGameFolder`, in all versions before A20 and since then if it is set. */
  readonly saves: string | null;
  /** `UserDataFolder`, with `Saves` and `GeneratedWorlds` below it. */
  readonly data: string | null;
}

const nothingNamed: NamedFolders = { saves: null, data: null };

/** https://7daystodie.wiki.gg/wiki/Server:_serverconfig.xml */
const foldersIn = (settings: Buffer): NamedFolders => {
  const setting = (name: string) => sevenDaysSetting(settings, name)?.trim() || null;
  return { saves: setting('SaveGameFolder'), data: setting('UserDataFolder') };
};

/** `-UserDataFolder=…` wins over the file, as every setting on the command line. */
const argumentOf = (args: readonly string[], name: string): string | null =>
  args
    .flatMap((arg) => new RegExp(`^-${name}=(.+)$`, 'i').exec(arg)?.[1] ?? [])
    .map((value) => value.replace(/^"|"$/g, ''))
    .at(-1) ?? null;

/** The settings file that the game is started with, else each of its possible files. */
const settingsOf = async (server: ServerFolder, args: readonly string[]): Promise<Buffer[]> => {
  const named = namedSettingsFile(args);
  const files = named === null ? sevenDaysLayout.settingsFiles(args) : [named];
  const read = (await Promise.all(files.map((file) => server.read(file)))).filter((file) => file !== null);
  if (named !== null && read.length === 0)
    throw new Error(`the game is started with ${named}, which is not there`);
  return read;
};

/**
 * The land of a random world is made once and kept apart from what players built on it; another version of the game makes another
 * land of the same seed (wiki.7d2d.net/guides/save-migration-local-to-dedicated.html).
 */
const generated = 'GeneratedWorlds';

export const sevenDaysSaves: GameSaves = {
  async find(server, args) {
    const inFiles = (await settingsOf(server, args)).map(foldersIn);
    const found = (inFiles.length === 0 ? [nothingNamed] : inFiles).map(
      (named): NamedFolders => ({
        saves: argumentOf(args, 'SaveGameFolder') ?? named.saves,
        data: argumentOf(args, 'UserDataFolder') ?? named.data,
      }),
    );
    if (new Set(found.map(({ saves, data }) => saves ?? data)).size > 1)
      throw new Error(
        'two settings files name different folders for the world; name the right one in config.json as saves.from',
      );
    const [{ saves, data } = nothingNamed] = found;
    const around = data?.replace(/(?<=.)[\\/]+$/, '') ?? '.';
    const below = (name: string) => (data === null ? name : `${around}/${name}`);
    const there = await server.folders(around);
    const places =
      saves === null ? (data !== null || there.includes('Saves') ? [below('Saves')] : []) : [saves];
    const land = places.length > 0 && there.includes(generated) ? [below(generated)] : [];
    return { places: [...places, ...land], leftOut: [] };
  },
  passing: [],
  pause: null,
};
