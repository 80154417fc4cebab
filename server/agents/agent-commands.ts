import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import type { CommandResult } from '#contracts/games.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { Tables } from '../database/tables.ts';
import { createAcceptedCommands } from './accepted-commands.ts';
import type { AgentLink } from './agent-link.ts';
import { type CommandDispatch, createCommandDispatch } from './command-dispatch.ts';
import { createCommandExpiry } from './command-expiry.ts';
import { type CommandRow, type CommandRows, unknownResult, unsentResult } from './command-rows.ts';
import { createCommandsByServer } from './commands-by-server.ts';
import {
  type CommandWaiter,
  commandOfRow,
  newCommand,
  silentResult,
  type WaitingCommand,
} from './waiting-command.ts';

export interface RunOptions {
  /** The same id joins the same command, even after a restart; generated when absent. */
  readonly id?: string | undefined;
  /** How long to wait for the game's reply. */
  readonly timeoutMs: number;
  /** If it has not begun after this time, it is no longer carried out. */
  readonly expiresInMs: number;
  /** Takes the command back when it was not sent yet, otherwise only ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

export interface PrepareOptions extends Pick<RunOptions, 'timeoutMs' | 'expiresInMs'> {
  /** Never used before. */
  readonly id: string;
  readonly serverId: string;
  readonly command: string;
}

export interface PreparedCommand {
  /** Call once the transaction has committed, and never if it did not. Rejects as `run` does. */
  run(): Promise<CommandResult>;
}

export interface AgentCommandsOptions {
  readonly rows: CommandRows;
  /** The current link to the server's agent. */
  readonly linkOf: (serverId: string) => AgentLink | null;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  readonly graceMs: number;
  readonly retryMs: number;
  readonly log: Log;
}

export interface LateResult {
  /** Null: there is no such command. */
  readonly kept: CommandResult | null;
}

/** Commands from the moment they are written until their result is. */
export interface AgentCommands extends CommandDispatch, Disposable {
  load(): Promise<void>;
  run(serverId: string, command: string, options: RunOptions): Promise<CommandResult>;
  /** Writes them in the caller's transaction: they go out if that commits, also from a later process. */
  prepare(trx: Kysely<Tables>, commands: readonly PrepareOptions[]): Promise<readonly PreparedCommand[]>;
  /**
   * Only asks, and never sends anything that was not written: waits for an existing command, as `run` does. Null: there
   * is none, so nothing can be said.
   */
  resultOf(serverId: string, id: string): Promise<CommandResult | null>;
  accept(serverId: string, ids: readonly string[]): void;
  /** @returns null when a waiting caller took it, otherwise what is kept of a command that no caller waits for any more */
  finish(serverId: string, id: string, result: CommandResult): Promise<LateResult | null>;
  /** No one can tell how the sent ones ended. A result that still comes is accepted. */
  giveUp(serverId: string): Promise<void>;
  /** Like `giveUp`, if the rows say so already. */
  settleUnknown(serverId: string, ids: readonly string[]): void;
  cancelUnsent(serverId: string): void;
  waitingFor(serverId: string): number;
}

export const createAgentCommands = (options: AgentCommandsOptions): AgentCommands => {
  const { rows, linkOf, now, graceMs, retryMs, log } = options;
  const waiting = createCommandsByServer();
  const expiry = createCommandExpiry({ waiting, rows, now, graceMs, retryMs, log });
  const accepted = createAcceptedCommands({ rows, isWaiting: waiting.has, retryMs, log });
  const { pump, sendAgain } = createCommandDispatch({ waiting, expiry, rows, linkOf, now, retryMs, log });

  const store = async (command: WaitingCommand, expiresInMs: number) => {
    const { id, serverId, timeoutMs } = command;
    const isSent = linkOf(serverId)?.isReady === true;
    try {
      const row = await rows.insert({
        id,
        serverId,
        command: command.command,
        timeoutMs,
        expiresInMs,
        isSent,
      });
      if (row) return await adopt(command, row);
      command.isStored = true;
      command.isMarked = isSent;
      if (command.waiters.size === 0) void expiry.takeBack(command);
      else expiry.arm(command);
    } catch (error) {
      waiting.drop(command);
      if (command.waiters.size === 0) log.warn({ err: error }, 'could not store an unwanted command');
      for (const waiter of command.waiters) waiter.fail(error);
    }
    await pump(serverId);
  };

  /** The id was used before: its result is there, or its command keeps waiting. */
  const adopt = async (command: WaitingCommand, row: CommandRow) => {
    if (row.server_id !== command.serverId || row.command !== command.command)
      throw new TypeError(`another command has the id ${row.id}`);
    waiting.drop(command);
    if (row.result) for (const waiter of command.waiters) waiter.settle(row.result);
    else {
      const known = { ...commandOfRow(row, now()), waiters: command.waiters };
      waiting.add(known);
      expiry.arm(known);
    }
    await pump(command.serverId);
  };

  const join = (command: WaitingCommand, signal: AbortSignal | undefined): Promise<CommandResult> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        command.waiters.delete(waiter);
        signal?.removeEventListener('abort', cancel);
      };
      const waiter: CommandWaiter = {
        joinedMs: now(),
        settle(result) {
          leave();
          resolve(result);
        },
        fail(error) {
          leave();
          reject(error);
        },
      };
      const cancel = () => {
        // The command that waits now: a row of the same id may have been found in between.
        const current = waiting.of(command.serverId).get(command.id) ?? command;
        if (current.isSent) return waiter.settle(silentResult('cancelled', now() - waiter.joinedMs));
        waiter.settle(unsentResult('cancelled'));
        if (current.waiters.size === 0 && current.isStored) void expiry.takeBack(current);
      };
      command.waiters.add(waiter);
      signal?.addEventListener('abort', cancel);
      if (signal?.aborted) cancel();
      else expiry.arm(command);
    });

  const settleUnknown = (serverId: string, ids: readonly string[]) => {
    for (const id of ids) {
      const command = waiting.of(serverId).get(id);
      if (command) waiting.settle(command, unknownResult);
    }
  };

  return {
    async load() {
      for (const row of await rows.loadWaiting()) {
        if (waiting.of(row.server_id).has(row.id)) continue;
        const command = commandOfRow(row, now());
        waiting.add(command);
        expiry.arm(command);
      }
    },
    run(serverId, command, { id = createId(), timeoutMs, expiresInMs, signal }) {
      const known = waiting.of(serverId).get(id);
      if (known && known.command !== command)
        return Promise.reject(new TypeError(`another command has the id ${id}`));
      if (known) return join(known, signal);
      const fresh = newCommand({ id, serverId, command, timeoutMs, expiresAtMs: now() + expiresInMs });
      if (signal?.aborted) return Promise.resolve(unsentResult('cancelled'));
      waiting.add(fresh);
      const result = join(fresh, signal);
      void store(fresh, expiresInMs);
      return result;
    },
    async prepare(trx, commands) {
      const fresh = commands.map((command) => ({
        ...command,
        isSent: linkOf(command.serverId)?.isReady === true,
        expiresAtMs: now() + command.expiresInMs,
      }));
      const written = new Set(await rows.insertAll(trx, fresh));
      const known = fresh.find(({ id }) => !written.has(id));
      if (known) throw new TypeError(`another command has the id ${known.id}`);
      return fresh.map(({ id, serverId, command, timeoutMs, expiresAtMs, isSent }) => ({
        run() {
          const prepared = {
            ...newCommand({ id, serverId, command, timeoutMs, expiresAtMs }),
            isStored: true,
            isMarked: isSent,
          };
          waiting.add(prepared);
          const result = join(prepared, undefined);
          void pump(serverId);
          return result;
        },
      }));
    },
    async resultOf(serverId, id) {
      const known = waiting.of(serverId).get(id);
      if (known) return join(known, undefined);
      const row = await rows.find(serverId, id);
      if (!row || row.result) return row?.result ?? null;
      const command = waiting.of(serverId).get(id) ?? commandOfRow(row, now());
      if (!waiting.has(command)) waiting.add(command);
      const result = join(command, undefined);
      void pump(serverId);
      return result;
    },
    pump,
    sendAgain,
    accept(serverId, ids) {
      const known = waiting.of(serverId);
      const taken = ids.flatMap((id) => known.get(id) ?? []).filter(({ isSent }) => isSent);
      for (const command of taken) {
        command.acceptedAtMs ??= now();
        expiry.arm(command);
      }
      if (taken.length > 0) void pump(serverId);
      accepted.add(taken);
    },
    async finish(serverId, id, result) {
      const ending = waiting.of(serverId).get(id);
      if (ending) accepted.drop(ending);
      const kept = await rows.finish(serverId, id, result);
      const command = waiting.of(serverId).get(id);
      const hasCaller = command !== undefined && command.waiters.size > 0;
      if (command) waiting.settle(command, result);
      if (command) void pump(serverId);
      return hasCaller ? null : { kept };
    },
    async giveUp(serverId) {
      settleUnknown(serverId, await rows.giveUpSent(serverId));
    },
    settleUnknown,
    cancelUnsent(serverId) {
      for (const command of [...waiting.of(serverId).values()]) {
        if (command.isSent) continue;
        if (command.isStored) expiry.endUnsent(command, 'cancelled');
        // Its row is being written, and is taken back once it is there: no one wants it any more.
        else for (const waiter of [...command.waiters]) waiter.settle(unsentResult('cancelled'));
      }
    },
    waitingFor: (serverId) => waiting.of(serverId).size,
    [Symbol.dispose]: () => waiting.end(new Problem('SHUTTING_DOWN')),
  };
};
