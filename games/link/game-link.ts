import { type CommandOutcome, type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import type { GameConnection, RunOptions } from '../connection.ts';
import { longestTimerMs } from '../wire/command-queue.ts';
import { type LinkTiming, linkTiming } from './link-timing.ts';
import type { ConsoleFailure } from './ready-console.ts';
import { createReconnectingConsole, type LinkState } from './reconnecting-console.ts';

/** The only way to a game server's console, however often its connection is lost. */
export interface GameLink extends AsyncDisposable {
  /**
   * Never rejects. `timeoutMs` limits the wait for the connection and for the turn, and then, separately, the wait for the
   * answer: a command that is sent late still gets its full time. A command of which nothing was sent ends with the connection's
   * failure, or as `expired` when others took its turn; one that was sent is never sent again.
   */
  run(command: string, options: RunOptions): Promise<CommandResult>;
  state(): LinkState;
  /** Settles all commands: sent ones as `connection lost`, the others as `cancelled`. */
  close(): Promise<void>;
}

/** A connection may end before a command's turn has come; the command then uses the next one. */
const mostConnections = 3;
const connectionEnds: ReadonlySet<CommandOutcome> = new Set(['connection lost', 'wrong protocol']);

/** Without `keepOpen` it connects for the first command, and closes when there are none for a while. */
export const createGameLink = ({
  timing: given,
  ...options
}: Omit<Parameters<typeof createReconnectingConsole>[0], 'timing'> & {
  readonly timing?: Partial<LinkTiming> | undefined;
}): GameLink => {
  const timing = { ...linkTiming, ...given };
  let running = 0;
  let idle: NodeJS.Timeout | undefined;

  const watchIdle = () => {
    clearTimeout(idle);
    if (!options.keepOpen && running === 0 && console.state().status === 'ready')
      idle = setTimeout(() => console.release(), timing.idleMs);
  };
  const console = createReconnectingConsole({
    ...options,
    timing,
    onState(state) {
      // The command that needed this connection may be gone already.
      if (state.status === 'ready') watchIdle();
      options.onState?.(state);
    },
  });

  const connected = async (remainingMs: number, signal: AbortSignal | undefined) => {
    const got = await within(console.acquire(), remainingMs, signal);
    if (got === 'cancelled') return got;
    if (got !== 'late') return isFailure(got) ? got.outcome : got;
    return console.isProbing() ? 'not ready' : (console.state().failure?.outcome ?? 'timeout');
  };

  const send = async (
    command: string,
    { timeoutMs, signal, maySend }: RunOptions,
  ): Promise<CommandResult> => {
    const calledAtMs = performance.now();
    for (let connections = 1; ; connections += 1) {
      const remainingMs = () => Math.max(0, calledAtMs + timeoutMs - performance.now());
      const got: GameConnection | CommandOutcome = await connected(remainingMs(), signal);
      if (typeof got === 'string') return withoutReply(got, false, performance.now() - calledAtMs);
      const result = await got.run(command, { timeoutMs, turnTimeoutMs: remainingMs(), signal, maySend });
      if (result.sent) return got.name === null ? result : { ...result, connection: got.name };
      if (!connectionEnds.has(result.outcome) || connections === mostConnections) return result;
    }
  };

  const close = async () => {
    clearTimeout(idle);
    await console.close();
  };
  return {
    async run(command, runOptions) {
      running += 1;
      clearTimeout(idle);
      try {
        return await send(command, runOptions);
      } finally {
        running -= 1;
        watchIdle();
      }
    },
    state: console.state,
    close,
    [Symbol.asyncDispose]: close,
  };
};

const isFailure = (got: GameConnection | ConsoleFailure): got is ConsoleFailure => 'outcome' in got;

/** The awaited value, unless the time runs out or the signal is aborted first. */
const within = async <T>(awaited: Promise<T>, ms: number, signal: AbortSignal | undefined) => {
  if (signal?.aborted) return 'cancelled';
  const { promise, resolve } = Promise.withResolvers<'late' | 'cancelled'>();
  const timer = setTimeout(resolve, Math.min(ms, longestTimerMs), 'late');
  const cancel = () => resolve('cancelled');
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([awaited, promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
};
