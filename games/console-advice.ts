import { consoleReasons } from '#contracts/console-reasons.ts';
import type { GameId } from '#contracts/games.ts';

interface ConsoleAdvice {
  /** Where the game's console is switched on. */
  readonly enable: string;
  readonly password: string;
}

/** What to check in a game's own configuration. */
export const consoleAdvice = {
  'ark-se': {
    enable: consoleReasons['ark-enable'],
    password: consoleReasons['ark-password'],
  },
  'ark-asa': {
    enable: consoleReasons['ark-enable'],
    password: consoleReasons['ark-password'],
  },
  'seven-days-to-die': {
    enable: consoleReasons['seven-days-enable'],
    password: consoleReasons['seven-days-password'],
  },
  minecraft: {
    enable: consoleReasons['minecraft-enable'],
    password: consoleReasons['minecraft-password'],
  },
} as const satisfies Record<GameId, ConsoleAdvice>;
