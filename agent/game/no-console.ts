import type { Log } from '#runtime/log.ts';
import { ownCommand } from '../configuration/own-command.ts';
import type { GameView } from './game-view.ts';

export const noConsoleDetail = (): string =>
  `No console is set up. On the game's machine, type: ${ownCommand()} setup`;

/** The game while nothing is known of its console: what it does cannot be told, and it takes no commands. */
export const openNoConsole = (log: Log): GameView => {
  const detail = noConsoleDetail();
  log.warn(detail);
  return {
    reading: () => ({ state: 'unknown', detail, players: null }),
    obstacle: () => Promise.resolve('not ready'),
    run: () =>
      Promise.resolve({ outcome: 'not ready', reply: null, truncated: false, sent: false, durationMs: 0 }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
