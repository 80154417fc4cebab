import { longestCommand } from '#contracts/games.ts';

/** The game's console has no limit; this one is ours. */
export const longestCommandBytes = longestCommand;
