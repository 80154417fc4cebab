import type { GameSaves, ServerFolder } from '../saves-layout.ts';
import { namedSettingsFile, sevenDaysLayout } from './layout.ts';
import { sevenDaysSetting } from './settings-file.ts';

/** `SaveGameFolder` until A20, `UserDataFolder` since then (7daystodie.wiki.gg/wiki/Server:_serverconfig.xml). */
const folderIn = (settings: Buffer): string | null => {
  const setting = (name: string) => sevenDaysSetting(settings, name)?.trim() || null;
  const data = setting('UserDataFolder');
  return setting('SaveGameFolder') ?? (data === null ? null : `${data}/Saves`);
};

/** The settings file that the game is started with, else each of its possible files. */
const settingsOf = async (server: ServerFolder, args: readonly string[]): Promise<Buffer[]> => {
  const named = namedSettingsFile(args);
  const files = named === null ? sevenDaysLayout.settingsFiles(args) : [named];
  const read = (await Promise.all(files.map((file) => server.read(file)))).filter((file) => file !== null);
  if (named !== null && read.length === 0)
    throw new Error(`the game is started with ${named}, which is not there`);
  return read;
};

export const sevenDaysSaves: GameSaves = {
  async find(server, args) {
    const found = new Set((await settingsOf(server, args)).map(folderIn));
    if (found.size > 1)
      throw new Error(
        'two settings files name different folders for the world; name the right one in config.json as saves.from',
      );
    const [own = null] = found;
    const there = (await server.folders('.')).includes('Saves') ? ['Saves'] : [];
    return { places: own === null ? there : [own], leftOut: [] };
  },
  passing: [],
  pause: null,
};
