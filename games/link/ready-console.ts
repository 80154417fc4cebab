import type { ConnectFailure, ConnectOptions, ConsoleTarget, GameConnection } from '../connection.ts';
import type { Game } from '../game.ts';

/** Why no command can be given; `detail` is for people and holds no secret. */
export interface ConsoleFailure {
  readonly outcome: ConnectFailure['outcome'] | 'not ready';
  readonly detail: string;
}

export interface ReadyConsole {
  readonly connection: GameConnection;
  /** What the game said about who is there. */
  readonly playersReply: string;
  /** From the question to its answer. */
  readonly latencyMs: number;
}

export interface ReadyConsoleOptions extends ConnectOptions {
  /** For the first answer, in milliseconds. */
  readonly probeTimeoutMs: number;
  /** The login succeeded; the game's first answer is awaited. */
  readonly onLogin?: (() => void) | undefined;
}

/**
 * Connects, logs in, and asks who is there: only a game that answered takes commands. ARK lets one in while it starts,
 * and never answers such a connection, so that it must be made anew.
 */
export const openReadyConsole = async (
  game: Pick<Game, 'connect' | 'listPlayers'>,
  target: ConsoleTarget,
  { probeTimeoutMs, onLogin, ...options }: ReadyConsoleOptions,
): Promise<ReadyConsole | { readonly failure: ConsoleFailure }> => {
  const connected = await game.connect(target, options);
  if ('failure' in connected) return connected;
  const { connection } = connected;
  onLogin?.();
  const { outcome, reply, durationMs } = await connection.run(game.listPlayers.command, {
    timeoutMs: probeTimeoutMs,
    signal: options.signal,
  });
  if (outcome === 'answered') return { connection, playersReply: reply ?? '', latencyMs: durationMs };
  connection[Symbol.dispose]();
  const failure = probeFailures[outcome as keyof typeof probeFailures] ?? probeFailures['connection lost'];
  return { failure };
};

const probeFailures = {
  timeout: {
    outcome: 'not ready',
    detail: 'The game accepts the password but takes no commands yet: it may still be starting.',
  },
  'wrong protocol': {
    outcome: 'wrong protocol',
    detail: 'After the login came something else than answers.',
  },
  'connection lost': {
    outcome: 'connection lost',
    detail: 'The game accepted the password and closed the connection before it answered.',
  },
  cancelled: { outcome: 'cancelled', detail: 'Connecting was cancelled.' },
} as const satisfies Record<string, ConsoleFailure>;
