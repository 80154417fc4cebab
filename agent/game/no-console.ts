import type { Log } from '#runtime/log.ts';
import type { GameView } from './game-view.ts';

export const noConsoleDetail = "No console is set up. On the game's machine, type: castellan-agent setup";

/** The game while nothing is known of its console: what it does cannot be told, and it takes no commands. */
export const openNoConsole = (log: Log): GameView => {
  log.warn(noConsoleDetail);
  return {
    reading: () => ({ state: 'unknown', detail: noConsoleDetail, players: null }),
    obstacle: () => Promise.resolve('not ready'),
    run: () =>
      Promise.resolve({ outcome: 'not ready', reply: null, truncated: false, sent: false, durationMs: 0 }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
