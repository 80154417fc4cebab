import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { withoutReply } from '#contracts/servers/games.ts';
import type { Log } from '#runtime/log.ts';
import { ownCommand } from '../configuration/own-command.ts';
import type { GameView } from './game-view.ts';

export const noConsoleDetail = (): string => consoleReasons['status-agent-setup'](ownCommand());

/** The game while its console is unknown: its state is unknown too, and it accepts no commands. */
export const openNoConsole = (log: Log): GameView => {
  const detail = noConsoleDetail();
  log.warn(detail);
  return {
    reading: () => ({ state: 'unknown', detail, players: null }),
    obstacle: () => Promise.resolve('not ready'),
    run: () => Promise.resolve(withoutReply('not ready')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
