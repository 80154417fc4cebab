import { consoleReasons } from '#contracts/kernel/console-reasons.ts';
import { type CommandOutcome, type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import type { GameConnection, QueuedRunOptions } from '../connection.ts';
import type { Reply } from './reply.ts';

export type LossOutcome = Extract<CommandOutcome, 'connection lost' | 'wrong protocol'>;

/** One command in flight, the others in order behind it. */
interface CommandQueue {
  readonly run: GameConnection['run'];
  /** The command in flight was answered; the next one is sent. */
  answer(reply: Reply): void;
  /** Settles every command: the one in flight as answered when there is a reply, all others as `outcome`. */
  end(outcome: LossOutcome, last?: LastCommand): void;
}

/** What is known about the command in flight when its connection ends. */
export interface LastCommand {
  readonly reply?: Reply | null;
  readonly logLine?: string | null;
  /** Not a byte of it can have reached the game. */
  readonly isUnsent?: boolean;
}

interface QueuedCommand {
  readonly command: string;
  /** Its turn has come. @returns whether it is still to be sent */
  go(): boolean;
  settle(outcome: CommandOutcome, last?: LastCommand): void;
}

/** The longest delay that setTimeout accepts. */
export const longestTimerMs = 2 ** 31 - 1;

export const createCommandQueue = (options: {
  /** Hands a command to the game. */
  send(command: string): void;
  /** The reply in flight so far; null when there is none. */
  unfinished(): Reply | null;
  /** The log line that proves that the command in flight was executed; null when it did not arrive. */
  executionLine(): string | null;
  /** The command in flight was abandoned. Its answer may still arrive, so the connection can no longer be used. */
  abandon(why: string): void;
}): CommandQueue => {
  const { send, unfinished, executionLine, abandon } = options;
  const waiting = new Set<QueuedCommand>();
  let inFlight: QueuedCommand | null = null;
  let endedAs: LossOutcome | null = null;

  const next = () => {
    for (const first of waiting) {
      if (endedAs || inFlight) return;
      waiting.delete(first);
      if (!first.go()) continue;
      inFlight = first;
      send(first.command);
    }
  };

  /** Settles a command before its answer. */
  const giveUp = (queued: QueuedCommand, outcome: CommandOutcome, why: string) => {
    const wasSent = inFlight === queued;
    const came = wasSent && outcome === 'timeout' ? unfinished() : null;
    const logLine = wasSent ? executionLine() : null;
    if (wasSent) inFlight = null;
    waiting.delete(queued);
    if (came) queued.settle('answered', { reply: came });
    else queued.settle(outcome, { logLine });
    if (wasSent) abandon(why);
  };

  const enter = (command: string, runOptions: QueuedRunOptions, resolve: (result: CommandResult) => void) => {
    const { signal, maySend, timeoutMs, turnTimeoutMs = longestTimerMs } = runOptions;
    const calledAtMs = performance.now();
    let sentAtMs: number | null = null;
    const expire = () => giveUp(queued, 'expired', '');
    const timeOut = () => giveUp(queued, 'timeout', consoleReasons['console-command-timeout']);
    const cancel = () => giveUp(queued, 'cancelled', consoleReasons['console-command-cancelled']);
    let timer = setTimeout(expire, Math.min(turnTimeoutMs, longestTimerMs));
    let late: NodeJS.Immediate | undefined;
    const queued: QueuedCommand = {
      command,
      go() {
        if (maySend?.() === false) {
          expire();
          return false;
        }
        sentAtMs = performance.now();
        clearTimeout(timer);
        timer = setTimeout(
          () => {
            // An answer that came while this process or its machine stood still is read first.
            late = setImmediate(timeOut);
          },
          Math.min(timeoutMs, longestTimerMs),
        );
        return true;
      },
      settle(outcome, { reply, logLine, isUnsent } = {}) {
        clearTimeout(timer);
        clearImmediate(late);
        signal?.removeEventListener('abort', cancel);
        resolve({
          outcome,
          reply: reply?.text ?? null,
          truncated: reply?.truncated ?? false,
          sent: sentAtMs !== null && isUnsent !== true,
          durationMs: performance.now() - (sentAtMs ?? calledAtMs),
          ...(logLine == null ? {} : { logLine }),
        });
      },
    };
    signal?.addEventListener('abort', cancel, { once: true });
    waiting.add(queued);
    next();
  };

  return {
    run: (command, runOptions) =>
      new Promise((resolve) => {
        if (runOptions.signal?.aborted) resolve(withoutReply('cancelled'));
        else if (endedAs) resolve(withoutReply(endedAs));
        else enter(command, runOptions, resolve);
      }),
    answer(reply) {
      const answered = inFlight;
      inFlight = null;
      answered?.settle('answered', { reply });
      next();
    },
    end(outcome, last = {}) {
      endedAs ??= outcome;
      const ended = inFlight;
      inFlight = null;
      if (last.reply) ended?.settle('answered', { reply: last.reply });
      else ended?.settle(outcome, last);
      for (const queued of waiting) queued.settle(outcome);
      waiting.clear();
    },
  };
};
