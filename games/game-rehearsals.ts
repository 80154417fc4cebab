import type { GameId } from '#contracts/games.ts';
import { minecraftRehearsal } from './minecraft/rehearsal.ts';
import type { GameRehearsal } from './rehearsal-layout.ts';
import { sevenDaysRehearsal } from './seven-days-to-die/rehearsal.ts';

const rehearsals: { readonly [Id in GameId]: GameRehearsal | null } = {
  // An ARK map takes 6 to 20 GB of memory, and the paths of its folders and of a cluster are fixed.
  'ark-se': null,
  'ark-asa': null,
  'seven-days-to-die': sevenDaysRehearsal,
  minecraft: minecraftRehearsal,
};

/** Null: a second server of the game cannot run beside the first. */
export const rehearsalOf = (game: GameId): GameRehearsal | null => rehearsals[game];
