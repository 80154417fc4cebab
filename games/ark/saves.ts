import type { GameSaves } from '../saves-layout.ts';

const saved = 'ShooterGame/Saved';
const isSave = (name: string) => /\.(?:ark|arkprofile|arktribe)$/i.test(name);

/** `SavedArks`, or the folder named by `AltSaveDirectoryName`; Ascended has a folder in it for each map. */
export const arkSaves: GameSaves = {
  async find(server) {
    const found: string[] = [];
    for (const name of await server.folders(saved)) {
      // Put aside by a restore.
      if (name.startsWith('.')) continue;
      const folder = `${saved}/${name}`;
      const inside = (await server.folders(folder)).map((map) => `${folder}/${map}`);
      const files = await Promise.all([folder, ...inside].map((path) => server.files(path)));
      if (files.flat().some(isSave)) found.push(folder);
    }
    return { places: found, leftOut: [] };
  },
  passing: [],
  pause: null,
};
