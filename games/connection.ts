import type { CommandOutcome, CommandResult } from '#contracts/servers/games.ts';
import type { Secret } from '#runtime/secret.ts';

/** Where a game's console listens. */
export interface ConsoleTarget {
  readonly host: string;
  readonly port: number;
  /** Empty where the game requires none. */
  readonly password: Secret;
}

export interface ConnectOptions {
  /** For name resolution, the connection and the login together, in milliseconds. */
  readonly connectTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Lines that the game writes unasked, if its console does that. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Why there is no connection; `detail` is for people and holds no secret. */
export interface ConnectFailure {
  readonly outcome: Extract<
    CommandOutcome,
    | 'timeout'
    | 'connection refused'
    | 'authentication failed'
    | 'name not found'
    | 'unreachable'
    | 'wrong protocol'
    | 'connection lost'
    | 'cancelled'
  >;
  readonly detail: string;
}

export interface RunOptions {
  /** Counted from the moment when the command is sent, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asked when its turn has come: false ends it as `expired`, and not a byte of it is sent. */
  readonly maySend?: (() => boolean) | undefined;
}

export interface QueuedRunOptions extends RunOptions {
  /** How long it waits for its turn, in milliseconds; a command that waits longer is `expired` and not sent. Without a limit it waits. */
  readonly turnTimeoutMs?: number | undefined;
}

/** A logged-in console. Commands given at the same time are sent one after the other. */
export interface GameConnection extends Disposable {
  /** Unique to this connection; null where its commands may reach different runs of the game. */
  readonly name: string | null;
  /** Never rejects: every result has an outcome. After a command without an answer the connection ends. */
  run(command: string, options: QueuedRunOptions): Promise<CommandResult>;
  /** Settles with the reason when the connection has ended. */
  readonly ended: Promise<string>;
}

export type Connect = (
  target: ConsoleTarget,
  options: ConnectOptions,
) => Promise<{ readonly connection: GameConnection } | { readonly failure: ConnectFailure }>;
