import type { GameId } from '#contracts/games.ts';

export type SearchedSource = 'modrinth' | 'curseforge' | 'steam';

/** Where mods of a game can be searched for; what has none takes files and addresses. */
export const searchedSources = {
  minecraft: ['modrinth', 'curseforge'],
  'ark-se': ['steam'],
  'ark-asa': ['curseforge'],
  'seven-days-to-die': [],
} as const satisfies Record<GameId, readonly SearchedSource[]>;
