import { unknownArchive } from '../inspected-archive.ts';
import type { GameMods } from '../mods-layout.ts';

/** Mods of Palworld are not managed. */
export const palworldMods: GameMods = {
  forms: () => [],
  facts: async () => ({ loader: null, loaderVersion: null, gameVersion: null }),
  folders: () => [],
  ids: null,
  readModLine: () => null,
  inspect: async () => unknownArchive('Castellan does not manage the mods of this game.'),
  isFatal: () => false,
};
