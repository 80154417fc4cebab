import { createId } from '@paralleldrive/cuid2';
import { agentProtocolVersion } from '#contracts/agent-protocol.ts';
import type { CommandResult } from '#contracts/games.ts';
import type { Log } from '#runtime/log.ts';
import { Problem } from '#runtime/problem.ts';
import type { AgentLink } from './agent-link.ts';
import { type CommandRow, type CommandRows, unknownResult, unsentResult } from './command-rows.ts';
import { type CommandWaiter, patienceEnd, silentResult, type WaitingCommand } from './waiting-command.ts';

export interface RunOptions {
  /** The same id joins the same command, also after a restart; made up when absent. */
  readonly id?: string | undefined;
  /** For the game's answer. */
  readonly timeoutMs: number;
  /** Not begun by then, it is not carried out any more. */
  readonly expiresInMs: number;
  /** Takes it back when it was not sent yet, else only ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

export interface AgentCommandsOptions {
  readonly rows: CommandRows;
  /** Where the server's agent is to be reached now. */
  readonly linkOf: (serverId: string) => AgentLink | null;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  readonly graceMs: number;
  readonly retryMs: number;
  readonly log: Log;
}

/** Commands from when they are written down until their result is. */
export interface AgentCommands extends Disposable {
  load(): Promise<void>;
  run(serverId: string, command: string, options: RunOptions): Promise<CommandResult>;
  /** Hands over what waits, in order, as far as the agent takes it. Never fails. */
  pump(serverId: string): Promise<void>;
  /** What this way's agent has not said to have got is sent again. */
  sendAgain(serverId: string, link: AgentLink): void;
  accept(serverId: string, ids: readonly string[]): Promise<void>;
  /** @returns whether anything waited for it */
  finish(serverId: string, id: string, result: CommandResult): Promise<boolean>;
  /** Their rows are done: nobody can tell what became of them. */
  giveUp(serverId: string, ids: readonly string[]): void;
  cancelUnsent(serverId: string): void;
  waitingFor(serverId: string): number;
}

/** Sent and not yet said to be written down; an agent takes more when it has these. */
const mostInFlight = 50;
const longestTimerMs = 2 ** 30;
const none: ReadonlyMap<string, WaitingCommand> = new Map();

export const createAgentCommands = (options: AgentCommandsOptions): AgentCommands => {
  const { rows, linkOf, now, graceMs, retryMs, log } = options;
  const byServer = new Map<string, Map<string, WaitingCommand>>();
  const pumping = new Map<string, Promise<void>>();
  const of = (serverId: string) => byServer.get(serverId) ?? none;

  const add = (command: WaitingCommand) => {
    const own = byServer.get(command.serverId) ?? new Map<string, WaitingCommand>();
    byServer.set(command.serverId, own.set(command.id, command));
  };
  const isWaiting = (command: WaitingCommand) => of(command.serverId).get(command.id) === command;
  const drop = (command: WaitingCommand) => {
    if (!isWaiting(command)) return;
    clearTimeout(command.timer);
    const own = byServer.get(command.serverId);
    own?.delete(command.id);
    if (own?.size === 0) byServer.delete(command.serverId);
  };
  const settle = (command: WaitingCommand, result: CommandResult) => {
    drop(command);
    for (const waiter of command.waiters) waiter.settle(result);
  };
  /** Its row is done in the background: when that fails, the next start does it. */
  const endUnsent = (command: WaitingCommand, outcome: 'expired' | 'cancelled') => {
    const result = unsentResult(outcome);
    settle(command, result);
    rows
      .finish(command.serverId, command.id, result)
      .catch((err: unknown) => log.warn({ err }, 'an unsent command could not be ended yet'));
  };

  /** Looks what the passing of time means for it, and when to look again. */
  const arm = (command: WaitingCommand) => {
    clearTimeout(command.timer);
    if (!isWaiting(command) || !command.isStored) return;
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

  const fromRow = (row: CommandRow): WaitingCommand => ({
    id: row.id,
    serverId: row.server_id,
    command: row.command,
    timeoutMs: row.timeout_ms,
    expiresAtMs: now() + row.expires_in_ms,
    waiters: new Set(),
    isStored: true,
    isMarked: row.sent_at !== null,
    isSent: row.sent_at !== null,
    sentOn: null,
    acceptedAtMs: row.accepted_at === null ? null : now(),
    timer: undefined,
  });

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
      if (command.waiters.size === 0) await takeBack(command);
      else arm(command);
    } catch (error) {
      drop(command);
      if (command.waiters.size === 0) log.warn({ err: error }, 'a command was not taken back');
      for (const waiter of command.waiters) waiter.fail(error);
    }
    await pump(serverId);
  };

  /** The id was used before: the result is there, or its command goes on waiting. */
  const adopt = async (command: WaitingCommand, row: CommandRow) => {
    if (row.server_id !== command.serverId || row.command !== command.command)
      throw new TypeError(`another command has the id ${row.id}`);
    drop(command);
    if (row.result) for (const waiter of command.waiters) waiter.settle(row.result);
    else {
      const known = { ...fromRow(row), waiters: command.waiters };
      add(known);
      arm(known);
    }
    await pump(command.serverId);
  };

  const takeBack = async (command: WaitingCommand) => {
    drop(command);
    await rows.remove(command.id);
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
        // The one that waits now: a row of the same id may have been found meanwhile.
        const current = of(command.serverId).get(command.id) ?? command;
        if (current.isSent) return waiter.settle(silentResult('cancelled', now() - waiter.joinedMs));
        waiter.settle(unsentResult('cancelled'));
        if (current.waiters.size > 0 || !current.isStored) return;
        takeBack(current).catch((err: unknown) => log.warn({ err }, 'a command was not taken back yet'));
      };
      command.waiters.add(waiter);
      signal?.addEventListener('abort', cancel);
      if (signal?.aborted) cancel();
      else arm(command);
    });

  const pump = (serverId: string): Promise<void> => {
    const running = pumping.get(serverId);
    if (running) return running;
    const begun = pumpAll(serverId).finally(() => pumping.delete(serverId));
    pumping.set(serverId, begun);
    return begun;
  };

  const pumpAll = async (serverId: string) => {
    for (;;) {
      const link = linkOf(serverId);
      const next = link?.isReady ? nextFor(serverId, link) : [];
      if (!link || next.length === 0) return;
      const unmarked = next.filter((command) => !command.isMarked);
      try {
        if (unmarked.length > 0) await rows.markSent(unmarked.map(({ id }) => id));
      } catch (err) {
        log.warn({ err }, 'commands for a Game Agent wait for the database');
        setTimeout(() => void pump(serverId), retryMs).unref();
        return;
      }
      for (const command of unmarked) command.isMarked = true;
      for (const command of next) handOver(command, link);
    }
  };

  /** In order; one that is not written down yet holds up those behind it. */
  const nextFor = (serverId: string, link: AgentLink): WaitingCommand[] => {
    const next: WaitingCommand[] = [];
    let inFlight = 0;
    for (const command of of(serverId).values()) {
      if (command.sentOn === link) {
        if (command.acceptedAtMs === null) inFlight += 1;
      } else if (!command.isStored) break;
      else next.push(command);
      if (inFlight + next.length >= mostInFlight) break;
    }
    return inFlight >= mostInFlight ? [] : next;
  };

  const handOver = (command: WaitingCommand, link: AgentLink) => {
    if (!isWaiting(command) || !link.isReady) return;
    const expiresInMs = Math.max(0, Math.round(command.expiresAtMs - now()));
    if (!command.isSent && expiresInMs === 0) return endUnsent(command, 'expired');
    command.isSent = true;
    command.sentOn = link;
    const { id, timeoutMs } = command;
    link.send({
      v: agentProtocolVersion,
      type: 'command',
      id,
      command: command.command,
      timeoutMs,
      expiresInMs,
    });
    arm(command);
  };

  return {
    async load() {
      for (const row of await rows.loadWaiting()) {
        if (of(row.server_id).has(row.id)) continue;
        const command = fromRow(row);
        add(command);
        arm(command);
      }
    },
    run(serverId, command, { id = createId(), timeoutMs, expiresInMs, signal }) {
      const known = of(serverId).get(id);
      if (known && known.command !== command)
        return Promise.reject(new TypeError(`another command has the id ${id}`));
      if (known) return join(known, signal);
      const fresh: WaitingCommand = {
        id,
        serverId,
        command,
        timeoutMs,
        expiresAtMs: now() + expiresInMs,
        waiters: new Set(),
        isStored: false,
        isMarked: false,
        isSent: false,
        sentOn: null,
        acceptedAtMs: null,
        timer: undefined,
      };
      if (signal?.aborted) return Promise.resolve(unsentResult('cancelled'));
      add(fresh);
      const result = join(fresh, signal);
      void store(fresh, expiresInMs);
      return result;
    },
    pump,
    sendAgain(serverId, link) {
      for (const command of of(serverId).values())
        if (command.sentOn === link && command.acceptedAtMs === null) command.sentOn = null;
    },
    async accept(serverId, ids) {
      const accepted = ids.flatMap((id) => of(serverId).get(id) ?? []).filter(({ isSent }) => isSent);
      for (const command of accepted) {
        command.acceptedAtMs ??= now();
        arm(command);
      }
      if (accepted.length === 0) return;
      void pump(serverId);
      await rows.markAccepted(
        serverId,
        accepted.map(({ id }) => id),
      );
    },
    async finish(serverId, id, result) {
      const wasWaiting = await rows.finish(serverId, id, result);
      const command = of(serverId).get(id);
      if (command) settle(command, result);
      if (command) void pump(serverId);
      return wasWaiting;
    },
    giveUp(serverId, ids) {
      for (const id of ids) {
        const command = of(serverId).get(id);
        if (command) settle(command, unknownResult);
      }
    },
    cancelUnsent(serverId) {
      for (const command of [...of(serverId).values()])
        if (!command.isSent && command.isStored) endUnsent(command, 'cancelled');
    },
    waitingFor: (serverId) => of(serverId).size,
    [Symbol.dispose]() {
      for (const command of allOf(byServer)) {
        clearTimeout(command.timer);
        for (const waiter of command.waiters) waiter.fail(new Problem('SHUTTING_DOWN'));
      }
      byServer.clear();
    },
  };
};

const allOf = (byServer: ReadonlyMap<string, ReadonlyMap<string, WaitingCommand>>): WaitingCommand[] =>
  [...byServer.values()].flatMap((own) => [...own.values()]);
