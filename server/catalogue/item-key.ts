import type { GameId } from '#contracts/games.ts';

/** The item's id in lists, whatever its spelling: for Minecraft with namespace and without data, for ARK the bare path. */
export const itemKey = (game: GameId, id: string): string => {
  if (game === 'minecraft') {
    const [plain] = id.split(/[[{]/, 1);
    return plain?.includes(':') ? plain : `minecraft:${plain}`;
  }
  if (game === 'ark-se' || game === 'ark-asa') return /\/[^'"]+/.exec(id)?.[0] ?? id;
  return id;
};
