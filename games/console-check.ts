import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { games } from '#contracts/servers/games.ts';
import type { ConsoleTarget } from './connection.ts';
import type { Game } from './game.ts';
import { gameOf } from './games.ts';
import { type ConsoleFailure, openReadyConsole } from './link/ready-console.ts';
import { readListing } from './read-listing.ts';

type ConsoleCheck =
  | {
      readonly outcome: 'answered';
      /** Null when the game's list could not be read. */
      readonly players: number | null;
      /** From the question to its answer. */
      readonly latencyMs: number;
    }
  /** `detail` says what is wrong and how to fix it, and holds no secret. */
  | ConsoleFailure;

const defaultTimeoutMs = 10_000;

/** Tries a console once, on a separate connection, for a person who sets it up. Never rejects. */
export const checkConsole = async (options: {
  readonly game: Pick<Game, 'id' | 'connect' | 'listPlayers' | 'firstAnswerMs'>;
  readonly target: ConsoleTarget;
  readonly signal?: AbortSignal | undefined;
  /** For connecting and login, and again for the first answer; 10 seconds by default. */
  readonly timeoutMs?: number | undefined;
}): Promise<ConsoleCheck> => {
  const { game, target, signal, timeoutMs = defaultTimeoutMs } = options;
  const opened = await openReadyConsole(game, target, {
    connectTimeoutMs: timeoutMs,
    probeTimeoutMs: Math.max(timeoutMs, game.firstAnswerMs ?? 0),
    signal,
  });
  if ('failure' in opened) {
    const { outcome, detail } = opened.failure;
    const advice = adviceFor(outcome, game.id);
    return { outcome, detail: advice ? `${detail} ${advice}` : detail };
  }
  const { connection, playersReply } = opened;
  const reading = await readListing(
    game.listPlayers,
    playersReply,
    async (command) => (await connection.run(command, { timeoutMs, signal })).reply,
  );
  connection[Symbol.dispose]();
  return {
    outcome: 'answered',
    players: reading && 'value' in reading ? reading.value.length : null,
    latencyMs: opened.latencyMs,
  };
};

const adviceFor = (outcome: ConsoleFailure['outcome'], id: Game['id']): string | null => {
  const { name, defaultPort } = games[id];
  const { enable, password } = gameOf(id).consoleAdvice;
  switch (outcome) {
    case 'connection refused':
      return consoleReasons['advice-refused'](enable);
    case 'timeout':
      return consoleReasons['advice-timeout'](enable);
    case 'authentication failed':
      return consoleReasons['advice-password'](password);
    case 'name not found':
      return consoleReasons['advice-name'];
    case 'unreachable':
      return consoleReasons['advice-unreachable'];
    case 'wrong protocol':
      return consoleReasons['advice-protocol'](name, defaultPort, enable);
    case 'not ready':
      return consoleReasons['advice-not-ready'];
    case 'connection lost':
      return consoleReasons['advice-lost'];
    case 'cancelled':
      return null;
  }
};
