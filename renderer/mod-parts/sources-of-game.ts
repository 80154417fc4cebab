import type { GameId } from '#contracts/games.ts';

export type SearchedSource = 'modrinth' | 'curseforge' | 'steam';

/** Where mods for a game can be searched; a game without sources takes files and addresses. */
export const searchedSources = {
  minecraft: ['modrinth', 'curseforge'],
  'ark-se': ['steam'],
  'ark-asa': ['curseforge'],
  'seven-days-to-die': [],
} as const satisfies Record<GameId, readonly SearchedSource[]>;
