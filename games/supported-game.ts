import type { GameLayout } from './layout.ts';
import type { GameMods } from './mods-layout.ts';
import type { GameRehearsal } from './rehearsal-layout.ts';
import type { GameSaves } from './saves-layout.ts';
import type { SoldGame } from './store-forms.ts';

/** What to check in a game's own configuration when its console cannot be reached. */
interface ConsoleAdvice {
  /** Where the console is switched on. */
  readonly enable: string;
  readonly password: string;
}

/** Everything that a game's folder provides. */
export interface SupportedGame extends SoldGame {
  readonly consoleAdvice: ConsoleAdvice;
  readonly layout: GameLayout;
  readonly mods: GameMods;
  readonly saves: GameSaves;
  /** Null: a second server of the game cannot run beside the first. */
  readonly rehearsal: GameRehearsal | null;
}
