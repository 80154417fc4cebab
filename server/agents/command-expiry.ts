import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { type CommandRows, unsentResult } from './command-rows.ts';
import type { CommandsByServer } from './commands-by-server.ts';
import { patienceEnd, silentResult, type WaitingCommand } from './waiting-command.ts';

export interface CommandExpiryOptions {
  readonly waiting: CommandsByServer;
  readonly rows: CommandRows;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  readonly graceMs: number;
  readonly retryMs: number;
  readonly log: Log;
}

/** How commands end without a report from an agent. */
export interface CommandExpiry {
  /** Checks what the passing of time means for the command, and when to check again. */
  arm(command: WaitingCommand): void;
  endUnsent(command: WaitingCommand, outcome: 'expired' | 'cancelled'): void;
  /** No one wants it any more, and no agent has received it: removed as if it had never existed. Never fails. */
  takeBack(command: WaitingCommand): Promise<void>;
}

const longestTimerMs = 2 ** 30;

export const createCommandExpiry = (options: CommandExpiryOptions): CommandExpiry => {
  const { waiting, rows, now, graceMs, retryMs, log } = options;

  /** Its row is ended in the background: when that fails, the next start does it. */
  const endUnsent = (command: WaitingCommand, outcome: 'expired' | 'cancelled') => {
    const result = unsentResult(outcome);
    waiting.settle(command, result);
    rows
      .finish(command.serverId, command.id, result)
      .catch((err: unknown) => log.warn({ err }, 'could not end an unsent command yet'));
  };

  const arm = (command: WaitingCommand) => {
    clearTimeout(command.timer);
    if (!waiting.has(command) || !command.isStored) return;
    if (!command.isSent && now() >= command.expiresAtMs) return endUnsent(command, 'expired');
    let next = command.isSent ? Number.POSITIVE_INFINITY : command.expiresAtMs;
    for (const waiter of command.waiters) {
      const end = patienceEnd(command, waiter.joinedMs, graceMs);
      if (command.isSent && now() >= end) waiter.settle(silentResult('timeout', now() - waiter.joinedMs));
      else next = Math.min(next, end);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.min(longestTimerMs, Math.max(1, next - now()));
    command.timer = setTimeout(() => arm(command), waitMs).unref();
  };

  return {
    arm,
    endUnsent,
    async takeBack(command) {
      waiting.drop(command);
      // Left in the database, the next start would send it. Requested again, it is wanted again.
      while (!waiting.of(command.serverId).has(command.id)) {
        try {
          return await rows.remove(command.id);
        } catch (err) {
          log.warn({ err }, 'could not withdraw a command yet');
          if (!isDatabaseAway(err)) return;
          await delay(retryMs, undefined, { ref: false });
        }
      }
    },
  };
};
