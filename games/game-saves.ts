import type { GameId } from '#contracts/games.ts';
import { arkSaves } from './ark/saves.ts';
import { minecraftSaves } from './minecraft/saves.ts';
import type { GameSaves } from './saves-layout.ts';
import { sevenDaysSaves } from './seven-days-to-die/saves.ts';

const saves: { readonly [Id in GameId]: GameSaves } = {
  'ark-se': arkSaves,
  'ark-asa': arkSaves,
  'seven-days-to-die': sevenDaysSaves,
  minecraft: minecraftSaves,
};

export const savesOf = (game: GameId): GameSaves => saves[game];
