import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { wakes as systemWakes, type WakeWatch } from '#runtime/wake-watch.ts';
import type { ConsoleTarget, GameConnection } from '../connection.ts';
import type { Game } from '../game.ts';
import type { LinkTiming } from './link-timing.ts';
import { type ConsoleFailure, openReadyConsole, type ReadyConsole } from './ready-console.ts';

export interface LinkState {
  /**
   * - `idle`: no connection is needed
   * - `connecting`: up to the game's first answer
   * - `ready`: the game has answered
   * - `waiting`: for the next try, at `nextTryAt`
   */
  readonly status: 'idle' | 'connecting' | 'ready' | 'waiting';
  readonly since: Date;
  /** Why the last try failed or the last connection ended; null when all is well. */
  readonly failure: ConsoleFailure | null;
  readonly nextTryAt: Date | null;
}

/** Holds one connection, and opens it again. */
interface ReconnectingConsole {
  state(): LinkState;
  /** The connection, the result of the current try or of a new one, or the last failure when it is too early. */
  acquire(): Promise<GameConnection | ConsoleFailure>;
  /** Logged in, waiting for the game's first answer. */
  isProbing(): boolean;
  /** Closes the connection until it is needed again. */
  release(): void;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

const closedFailure: ConsoleFailure = {
  outcome: 'cancelled',
  detail: consoleReasons['console-link-closed'],
};

export const createReconnectingConsole = (options: {
  readonly game: Pick<Game, 'connect' | 'listPlayers'>;
  readonly target: ConsoleTarget;
  /** Connects immediately, and again whenever the connection is lost. */
  readonly keepOpen: boolean;
  readonly onLine?: ((line: string) => void) | undefined;
  readonly onState?: ((state: LinkState) => void) | undefined;
  readonly timing: LinkTiming;
  readonly wakes?: WakeWatch | undefined;
}): ReconnectingConsole => {
  const { game, target, keepOpen, onLine, timing, wakes = systemWakes } = options;
  const closing = new AbortController();
  let state: LinkState = { status: 'idle', since: new Date(), failure: null, nextTryAt: null };
  let connection: GameConnection | null = null;
  let underWay: Promise<GameConnection | ConsoleFailure> | null = null;
  let isProbing = false;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let noTryBeforeMs = 0;

  const enter = (
    status: LinkState['status'],
    failure: ConsoleFailure | null,
    nextTryAt: Date | null = null,
  ) => {
    state = { status, since: new Date(), failure, nextTryAt };
    options.onState?.(state);
  };

  const tryNow = async (): Promise<GameConnection | ConsoleFailure> => {
    clearTimeout(retry);
    if (closing.signal.aborted) return closedFailure;
    enter('connecting', state.failure);
    const opened = await openReadyConsole(game, target, {
      connectTimeoutMs: timing.connectTimeoutMs,
      probeTimeoutMs: timing.probeTimeoutMs,
      signal: closing.signal,
      onLine,
      onLogin: () => {
        isProbing = true;
      },
    });
    isProbing = false;
    underWay = null;
    return 'failure' in opened ? lose(opened.failure) : hold(opened);
  };

  const hold = (opened: ReadyConsole): GameConnection | ConsoleFailure => {
    if (closing.signal.aborted) {
      opened.connection[Symbol.dispose]();
      return closedFailure;
    }
    const readySinceMs = performance.now();
    connection = opened.connection;
    void opened.connection.ended.then((why) => {
      // Released or closed here: nothing was lost.
      if (connection !== opened.connection) return;
      connection = null;
      if (performance.now() - readySinceMs >= timing.steadyMs) failures = 0;
      lose({ outcome: 'connection lost', detail: why });
      // It has worked until now: a command need not wait.
      noTryBeforeMs = 0;
    });
    noTryBeforeMs = 0;
    enter('ready', null);
    return opened.connection;
  };

  const lose = (failure: ConsoleFailure): ConsoleFailure => {
    if (closing.signal.aborted) return closedFailure;
    failures += 1;
    const delayMs = timing.retryDelayMs({ failures, outcome: failure.outcome });
    const gapMs = failure.outcome === 'authentication failed' ? delayMs : timing.leastGapMs;
    noTryBeforeMs = performance.now() + gapMs;
    if (keepOpen) {
      retry = setTimeout(() => void begin(), delayMs);
      enter('waiting', failure, new Date(Date.now() + delayMs));
    } else enter('idle', failure);
    return failure;
  };

  const begin = () => {
    // Deferred: a listener may ask for a connection, and there must be only one try.
    underWay ??= Promise.resolve().then(tryNow);
    return underWay;
  };

  if (keepOpen) void begin();
  // The machine has its network again after a sleep; a refused password is still wrong.
  const listening = wakes.onWake(() => {
    if (state.status === 'waiting' && state.failure?.outcome !== 'authentication failed') void begin();
  });
  return {
    state: () => state,
    async acquire() {
      if (closing.signal.aborted) return closedFailure;
      if (connection) return connection;
      if (!underWay && state.failure && performance.now() < noTryBeforeMs) return state.failure;
      return begin();
    },
    isProbing: () => isProbing,
    release() {
      const released = connection;
      connection = null;
      released?.[Symbol.dispose]();
      if (released) enter('idle', null);
    },
    async close() {
      if (!closing.signal.aborted) {
        closing.abort();
        listening[Symbol.dispose]();
        clearTimeout(retry);
        const closed = connection;
        connection = null;
        closed?.[Symbol.dispose]();
        enter('idle', null);
      }
      await underWay;
    },
  };
};
