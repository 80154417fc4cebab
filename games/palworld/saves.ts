import type { GameSaves } from '../saves-layout.ts';

const saveGames = 'Pal/Saved/SaveGames';

/** `0` holds the worlds; the list of bans is beside it and outlives a restored world. */
export const palworldSaves: GameSaves = {
  find: async (server) => ((await server.folders(saveGames)).includes('0') ? [`${saveGames}/0`] : []),
  passing: [],
  pause: null,
};
