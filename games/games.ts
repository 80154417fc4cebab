import type { GameId } from '#contracts/servers/games.ts';
import { arkAscended, arkEvolved } from './ark/ark.ts';
import { minecraft } from './minecraft/minecraft.ts';
import { palworld } from './palworld/palworld.ts';
import { sevenDaysToDie } from './seven-days-to-die/seven-days-to-die.ts';
import type { SupportedGame } from './supported-game.ts';

const adapters: { readonly [Id in GameId]: SupportedGame } = {
  'ark-se': arkEvolved,
  'ark-asa': arkAscended,
  'seven-days-to-die': sevenDaysToDie,
  minecraft,
  palworld,
};

export const gameOf = (id: GameId): SupportedGame => adapters[id];

/** For a command whose game is unknown here: applies the masks of every game. */
export const maskForAnyGame = (command: string): string =>
  Object.values(adapters).reduce((masked, { maskCommand }) => maskCommand(masked), command);
