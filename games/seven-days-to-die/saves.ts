import type { GameSaves } from '../saves-layout.ts';
import { sevenDaysSetting } from './settings-file.ts';

/** `SaveGameFolder` until A20, `UserDataFolder` since (7daystodie.wiki.gg/wiki/Server:_serverconfig.xml). */
export const sevenDaysSaves: GameSaves = {
  async find(server) {
    const settings = await server.read('serverconfig.xml');
    const setting = (name: string) => (settings && sevenDaysSetting(settings, name))?.trim() || null;
    const data = setting('UserDataFolder');
    const own = setting('SaveGameFolder') ?? (data === null ? null : `${data}/Saves`);
    if (own !== null) return [own];
    return (await server.folders('.')).includes('Saves') ? ['Saves'] : [];
  },
  passing: [],
  pause: null,
};
