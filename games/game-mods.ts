import type { GameId } from '#contracts/games.ts';
import { arkAscendedMods, arkEvolvedMods } from './ark/mods.ts';
import { minecraftMods } from './minecraft/mods.ts';
import type { GameMods } from './mods-layout.ts';
import { sevenDaysMods } from './seven-days-to-die/mods.ts';

const mods: { readonly [Id in GameId]: GameMods } = {
  'ark-se': arkEvolvedMods,
  'ark-asa': arkAscendedMods,
  'seven-days-to-die': sevenDaysMods,
  minecraft: minecraftMods,
};

export const modsOf = (game: GameId): GameMods => mods[game];
