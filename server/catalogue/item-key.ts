import type { GameId } from '#contracts/games.ts';

/** An item as lists have it, however its id is spelled: Minecraft's in its namespace and without data, ARK's as its path alone. */
export const itemKey = (game: GameId, id: string): string => {
  if (game === 'minecraft') {
    const [plain] = id.split(/[[{]/, 1);
    return plain?.includes(':') ? plain : `minecraft:${plain}`;
  }
  if (game === 'ark-se' || game === 'ark-asa') return /\/[^'"]+/.exec(id)?.[0] ?? id;
  return id;
};
