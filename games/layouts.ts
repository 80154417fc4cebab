import type { GameId } from '#contracts/games.ts';
import { arkAscendedLayout, arkEvolvedLayout } from './ark/layout.ts';
import type { GameLayout } from './layout.ts';
import { minecraftLayout } from './minecraft/layout.ts';
import { sevenDaysLayout } from './seven-days-to-die/layout.ts';

const layouts: { readonly [Id in GameId]: GameLayout } = {
  'ark-se': arkEvolvedLayout,
  'ark-asa': arkAscendedLayout,
  'seven-days-to-die': sevenDaysLayout,
  minecraft: minecraftLayout,
};

export const layoutOf = (id: GameId): GameLayout => layouts[id];
