import { longestCommand } from '#contracts/games.ts';

/** The game's console knows no limit; this is ours. */
export const longestCommandBytes = longestCommand;
