import type { GameSaves } from '../saves-layout.ts';
import { minecraftSetting } from './settings-file.ts';

/** Paper and Spigot keep the other dimensions in folders beside the world (docs.papermc.io/paper/migration). */
const dimensions = ['', '_nether', '_the_end'];

export const minecraftSaves: GameSaves = {
  async find(server) {
    const settings = await server.read('server.properties');
    const level = (settings && minecraftSetting(settings, 'level-name'))?.trim() || 'world';
    const present = await server.folders(parentOf(level));
    return dimensions
      .map((dimension) => `${level}${dimension}`)
      .filter((folder) => present.includes(folder.slice(parentOf(level).length).replace(/^[\\/]/, '')));
  },
  // The running game holds it locked, and makes it again (minecraft.wiki/w/Java_Edition_level_format).
  passing: ['session.lock'],
  // `flush` waits until the chunks are written (minecraft.wiki/w/Commands/save).
  pause: { stop: 'save-off', save: 'save-all flush', resume: 'save-on' },
};

/** A level's name may have folders in it. */
const parentOf = (level: string): string => level.slice(0, Math.max(0, level.search(/[\\/][^\\/]*$/)));
