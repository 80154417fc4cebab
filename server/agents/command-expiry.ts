import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { type CommandRows, unsentResult } from './command-rows.ts';
import type { CommandsByServer } from './commands-by-server.ts';
import { patienceEnd, silentResult, type WaitingCommand } from './waiting-command.ts';

export interface CommandExpiryOptions {
  readonly waiting: CommandsByServer;
  readonly rows: CommandRows;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  readonly graceMs: number;
  readonly retryMs: number;
  readonly log: Log;
}

/** How commands end by which no agent has had a say. */
export interface CommandExpiry {
  /** Looks what the passing of time means for it, and when to look again. */
  arm(command: WaitingCommand): void;
  endUnsent(command: WaitingCommand, outcome: 'expired' | 'cancelled'): void;
  /** Nobody wants it any more, and nobody has got it: as if it had never been. Never fails. */
  takeBack(command: WaitingCommand): Promise<void>;
}

const longestTimerMs = 2 ** 30;

export const createCommandExpiry = (options: CommandExpiryOptions): CommandExpiry => {
  const { waiting, rows, now, graceMs, retryMs, log } = options;

  /** Its row is done in the background: when that fails, the next start does it. */
  const endUnsent = (command: WaitingCommand, outcome: 'expired' | 'cancelled') => {
    const result = unsentResult(outcome);
    waiting.settle(command, result);
    rows
      .finish(command.serverId, command.id, result)
      .catch((err: unknown) => log.warn({ err }, 'an unsent command could not be ended yet'));
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
      // Left in the database, the next start would send it. Asked for anew, it is wanted again.
      while (!waiting.of(command.serverId).has(command.id)) {
        try {
          return await rows.remove(command.id);
        } catch (err) {
          log.warn({ err }, 'a command was not taken back yet');
          if (!isDatabaseAway(err)) return;
          await delay(retryMs, undefined, { ref: false });
        }
      }
    },
  };
};
