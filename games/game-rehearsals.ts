import type { GameId } from '#contracts/games.ts';
import { minecraftRehearsal } from './minecraft/rehearsal.ts';
import type { GameRehearsal } from './rehearsal-layout.ts';
import { sevenDaysRehearsal } from './seven-days-to-die/rehearsal.ts';

const rehearsals: { readonly [Id in GameId]: GameRehearsal | null } = {
  // A map of ARK takes 6 to 20 GB of memory, and its folders and those of a cluster are fixed.
  'ark-se': null,
  'ark-asa': null,
  'seven-days-to-die': sevenDaysRehearsal,
  minecraft: minecraftRehearsal,
};

/** Null: the game cannot run twice beside itself. */
export const rehearsalOf = (game: GameId): GameRehearsal | null => rehearsals[game];
