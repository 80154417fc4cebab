import { longestCommand } from '#contracts/servers/games.ts';

/** The game's console has no limit; this one is ours. */
export const longestCommandBytes = longestCommand;
