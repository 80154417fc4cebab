import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import type { ConnectFailure, ConnectOptions, ConsoleTarget, GameConnection } from '../connection.ts';
import type { Game } from '../game.ts';

/** Why no command can be given; `detail` is for people and holds no secret. */
export interface ConsoleFailure {
  readonly outcome: ConnectFailure['outcome'] | 'not ready';
  readonly detail: string;
}

export interface ReadyConsole {
  readonly connection: GameConnection;
  /** The game's reply with its list of players. */
  readonly playersReply: string;
  /** From the question to its answer. */
  readonly latencyMs: number;
}

/**
 * Connects, logs in, and asks who is online: only a game that has answered takes commands. ARK accepts logins while it starts but
 * never answers such a connection, so it must be opened again.
 */
export const openReadyConsole = async (
  game: Pick<Game, 'connect' | 'listPlayers'>,
  target: ConsoleTarget,
  {
    probeTimeoutMs,
    onLogin,
    ...options
  }: ConnectOptions & {
    /** For the first answer, in milliseconds. */
    readonly probeTimeoutMs: number;
    /** Called when the login has succeeded and the game's first answer is awaited. */
    readonly onLogin?: (() => void) | undefined;
  },
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
    detail: consoleReasons['console-not-ready'],
  },
  'wrong protocol': {
    outcome: 'wrong protocol',
    detail: consoleReasons['console-not-answers'],
  },
  'connection lost': {
    outcome: 'connection lost',
    detail: consoleReasons['console-closed-before-answer'],
  },
  cancelled: { outcome: 'cancelled', detail: consoleReasons['console-cancelled'] },
} as const satisfies Record<string, ConsoleFailure>;
