import { games } from '#contracts/games.ts';
import type { ConsoleTarget } from './connection.ts';
import { consoleAdvice } from './console-advice.ts';
import type { Game } from './game.ts';
import { type ConsoleFailure, openReadyConsole } from './link/ready-console.ts';
import { readListing } from './read-listing.ts';

export type ConsoleCheck =
  | {
      readonly outcome: 'answered';
      /** Null when the game's list could not be read. */
      readonly players: number | null;
      /** From the question to its answer. */
      readonly latencyMs: number;
    }
  /** `detail` says what is wrong and what to do about it, and holds no secret. */
  | ConsoleFailure;

export interface ConsoleCheckOptions {
  readonly game: Pick<Game, 'id' | 'connect' | 'listPlayers' | 'firstAnswerMs'>;
  readonly target: ConsoleTarget;
  readonly signal?: AbortSignal | undefined;
  /** For connecting and login, and then, anew, for the first answer; 10 seconds unless told. */
  readonly timeoutMs?: number | undefined;
}

const defaultTimeoutMs = 10_000;

/** Tries a console once, on a connection of its own, for a person who sets it up. Never rejects. */
export const checkConsole = async (options: ConsoleCheckOptions): Promise<ConsoleCheck> => {
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
  const { enable, password } = consoleAdvice[id];
  switch (outcome) {
    case 'connection refused':
      return `Is the server running, and is its console enabled (${enable})?`;
    case 'timeout':
      return `Is the address right, does a firewall let the port through, and is the console enabled (${enable})?`;
    case 'authentication failed':
      return `The password is the game's ${password}; a changed one takes effect when the game starts again.`;
    case 'name not found':
      return 'Check the spelling, or give the IP address.';
    case 'unreachable':
      return 'Check the address, and the network between this machine and the server.';
    case 'wrong protocol':
      return `Is this the console's port? ${name} uses ${defaultPort} unless told otherwise (${enable}).`;
    case 'not ready':
      return 'Wait until it has started, then try again.';
    case 'connection lost':
      return 'Try again in a minute; if it stays so, look at the log of the game server.';
    case 'cancelled':
      return null;
  }
};
