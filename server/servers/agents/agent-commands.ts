import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import { type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import { Problem } from '#runtime/problem.ts';
import type { AgentRunOptions, AgentSending, PreparedSending } from '../../kernel/commands/routes.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { CommandRow } from './command-rows.ts';
import {
  type CommandWaiter,
  commandOfRow,
  createWaitingCommands,
  newCommand,
  silentResult,
  type WaitingCommand,
  type WaitingCommands,
  type WaitingCommandsOptions,
} from './waiting-commands.ts';

interface LateResult {
  /** Null: there is no such command. */
  readonly kept: CommandResult | null;
}

/** Commands from the moment they are written until their result is. */
export type AgentCommands = ReturnType<typeof createAgentCommands>;

export const createAgentCommands = (options: WaitingCommandsOptions) => {
  const { rows, linkOf, now, log } = options;
  const waiting = createWaitingCommands(options);
  const { pump, sendAgain } = waiting;
  const accepted = createAcceptedCommands(waiting, options);

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
      if (command.waiters.size === 0) void waiting.takeBack(command);
      else waiting.arm(command);
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
      waiting.arm(known);
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
        if (current.isSent) return waiter.settle(silentResult('cancelled', waiter, now()));
        waiter.settle(withoutReply('cancelled'));
        if (current.waiters.size === 0 && current.isStored) void waiting.takeBack(current);
      };
      command.waiters.add(waiter);
      signal?.addEventListener('abort', cancel);
      if (signal?.aborted) cancel();
      else waiting.arm(command);
    });

  const settleUnknown = (serverId: string, ids: readonly string[]) => {
    for (const id of ids) {
      const command = waiting.of(serverId).get(id);
      if (command) waiting.settle(command, withoutReply('unknown', true));
    }
  };

  return {
    async load(): Promise<void> {
      for (const row of await rows.loadWaiting()) {
        if (waiting.of(row.server_id).has(row.id)) continue;
        const command = commandOfRow(row, now());
        waiting.add(command);
        waiting.arm(command);
      }
    },
    run(
      serverId: string,
      command: string,
      { id = createId(), timeoutMs, expiresInMs, signal, maySend }: AgentRunOptions,
    ): Promise<CommandResult> {
      const known = waiting.of(serverId).get(id);
      if (known && known.command !== command)
        return Promise.reject(new TypeError(`another command has the id ${id}`));
      if (known) return join(known, signal);
      const expiresAtMs = now() + expiresInMs;
      const fresh = newCommand({ id, serverId, command, timeoutMs, expiresAtMs, maySend });
      if (signal?.aborted) return Promise.resolve(withoutReply('cancelled'));
      waiting.add(fresh);
      const result = join(fresh, signal);
      void store(fresh, expiresInMs);
      return result;
    },
    /** Writes them in the caller's transaction: they go out if that commits, also from a later process. */
    async prepare(
      trx: Kysely<Tables>,
      commands: readonly AgentSending[],
    ): Promise<readonly PreparedSending[]> {
      const fresh = commands.map((command) => ({
        ...command,
        isSent: linkOf(command.serverId)?.isReady === true,
        expiresAtMs: now() + command.expiresInMs,
      }));
      const written = new Set(await rows.insertAll(trx, fresh));
      const known = fresh.find(({ id }) => !written.has(id));
      if (known) throw new TypeError(`another command has the id ${known.id}`);
      return fresh.map(({ id, serverId, command, timeoutMs, expiresAtMs, maySend, isSent }) => ({
        run() {
          const prepared = {
            ...newCommand({ id, serverId, command, timeoutMs, expiresAtMs, maySend }),
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
    /**
     * Only asks, and never sends anything that was not written: waits for an existing command, as `run` does. Null: there
     * is none, so nothing can be said.
     */
    async resultOf(serverId: string, id: string): Promise<CommandResult | null> {
      const row = await rows.find(serverId, id);
      const known = waiting.of(serverId).get(id);
      if (row?.result) {
        // Another process may have ended it since this one read it.
        if (known) waiting.settle(known, row.result);
        return row.result;
      }
      if (known) return join(known, undefined);
      if (!row) return null;
      const command = commandOfRow(row, now());
      waiting.add(command);
      const result = join(command, undefined);
      void pump(serverId);
      return result;
    },
    pump,
    sendAgain,
    accept(serverId: string, ids: readonly string[]): void {
      const known = waiting.of(serverId);
      const taken = ids.flatMap((id) => known.get(id) ?? []).filter(({ isSent }) => isSent);
      for (const command of taken) {
        command.acceptedAtMs ??= now();
        waiting.arm(command);
      }
      if (taken.length > 0) void pump(serverId);
      accepted.add(taken);
    },
    /** @returns null when a waiting caller took it, otherwise what is kept of a command that no caller waits for any more */
    async finish(serverId: string, id: string, result: CommandResult): Promise<LateResult | null> {
      const ending = waiting.of(serverId).get(id);
      if (ending) accepted.drop(ending);
      const kept = await rows.finish(serverId, id, result);
      const command = waiting.of(serverId).get(id);
      const hasCaller = command !== undefined && command.waiters.size > 0;
      if (command) waiting.settle(command, result);
      if (command) void pump(serverId);
      return hasCaller ? null : { kept };
    },
    /** No one can tell how the sent ones ended. A result that still comes is accepted. */
    async giveUp(serverId: string): Promise<void> {
      settleUnknown(serverId, await rows.giveUpSent(serverId));
    },
    /** Like `giveUp`, if the rows say so already. */
    settleUnknown,
    cancelUnsent(serverId: string): void {
      for (const command of [...waiting.of(serverId).values()]) {
        if (command.isSent) continue;
        if (command.isStored) waiting.endUnsent(command, 'cancelled');
        // Its row is being written, and is taken back once it is there: no one wants it any more.
        else for (const waiter of [...command.waiters]) waiter.settle(withoutReply('cancelled'));
      }
    },
    waitingFor: (serverId: string): number => waiting.of(serverId).size,
    [Symbol.dispose]: () => waiting.end(new Problem('SHUTTING_DOWN')),
  };
};

/**
 * Records, after all other work, which commands their agents have received. If the process loses a record, a command is
 * handed over once more, and the agent knows its id; a command whose result comes first needs no record.
 */
const createAcceptedCommands = (waiting: WaitingCommands, { rows, retryMs, log }: WaitingCommandsOptions) => {
  const unwritten = new Set<WaitingCommand>();
  let isWriting = false;

  const write = async () => {
    for (;;) {
      const batch = [...unwritten].filter(waiting.has);
      unwritten.clear();
      if (batch.length === 0) break;
      try {
        await rows.markAccepted(batch.map(({ id }) => id));
      } catch (err) {
        log.debug({ err }, 'could not store which commands Game Agents accepted yet');
        for (const command of batch) unwritten.add(command);
        setTimeout(() => void write(), retryMs).unref();
        return;
      }
    }
    isWriting = false;
  };

  return {
    add(commands: readonly WaitingCommand[]) {
      for (const command of commands) unwritten.add(command);
      if (isWriting || commands.length === 0) return;
      isWriting = true;
      // A result that comes in the same turn of the event loop makes it unnecessary.
      setImmediate(() => void write());
    },
    /** Its result is being written down. */
    drop: (command: WaitingCommand) => void unwritten.delete(command),
  };
};
