import { setTimeout as delay } from 'node:timers/promises';
import { agentProtocolVersion } from '#contracts/servers/agent-protocol.ts';
import { type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentLink } from './agent-session.ts';
import type { CommandRow, CommandRows } from './command-rows.ts';

/** A caller that waits for a result. */
export interface CommandWaiter {
  readonly joinedMs: number;
  settle(result: CommandResult): void;
  fail(error: unknown): void;
}

/** A command without a result. Times are on a monotonic clock. */
export interface WaitingCommand {
  readonly id: string;
  readonly serverId: string;
  readonly command: string;
  readonly timeoutMs: number;
  /** If it has not begun at this time, it is no longer carried out. */
  readonly expiresAtMs: number;
  /** Asked right before its first frame goes out. */
  readonly maySend?: (() => boolean) | undefined;
  readonly waiters: Set<CommandWaiter>;
  /** The row is committed. */
  isStored: boolean;
  /** The row says that it may have been sent. */
  isMarked: boolean;
  /** A frame went out, from this process or an earlier one. */
  isSent: boolean;
  /** Its row is being asked whether it can end unsent. */
  isEnding: boolean;
  sentOn: AgentLink | null;
  acceptedAtMs: number | null;
  timer: NodeJS.Timeout | undefined;
}

export const newCommand = (
  given: Pick<WaitingCommand, 'id' | 'serverId' | 'command' | 'timeoutMs' | 'expiresAtMs' | 'maySend'>,
): WaitingCommand => ({
  ...given,
  waiters: new Set(),
  isStored: false,
  isMarked: false,
  isSent: false,
  isEnding: false,
  sentOn: null,
  acceptedAtMs: null,
  timer: undefined,
});

export const commandOfRow = (row: CommandRow, nowMs: number): WaitingCommand => ({
  id: row.id,
  serverId: row.server_id,
  command: row.command,
  timeoutMs: row.timeout_ms,
  expiresAtMs: nowMs + row.expires_in_ms,
  waiters: new Set(),
  isStored: true,
  isMarked: row.sent_at !== null,
  isSent: row.sent_at !== null,
  isEnding: false,
  sentOn: null,
  acceptedAtMs: row.accepted_at === null ? null : nowMs,
  timer: undefined,
});

/** What a waiter is told when the command was sent and nothing came back. */
export const silentResult = (
  outcome: 'timeout' | 'cancelled',
  { joinedMs }: CommandWaiter,
  nowMs: number,
): CommandResult => withoutReply(outcome, true, Math.max(0, nowMs - joinedMs));

export interface WaitingCommandsOptions {
  readonly rows: CommandRows;
  /** The current link to the server's agent. */
  readonly linkOf: (serverId: string) => AgentLink | null;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** How long to wait for a result, beyond what the command itself may take. */
  readonly graceMs: number;
  readonly retryMs: number;
  readonly log: Log;
}

/** The commands without a result, for each server in the order in which they were given. */
type CommandsByServer = ReturnType<typeof createCommandsByServer>;

/** How commands go out. */
export type CommandDispatch = ReturnType<typeof createCommandDispatch>;

/** How commands end without a report from an agent. */
type CommandExpiry = ReturnType<typeof createCommandExpiry>;

export type WaitingCommands = CommandsByServer & CommandExpiry & CommandDispatch;

export const createWaitingCommands = (options: WaitingCommandsOptions): WaitingCommands => {
  const waiting = createCommandsByServer();
  const expiry = createCommandExpiry(waiting, options);
  return { ...waiting, ...expiry, ...createCommandDispatch(waiting, expiry, options) };
};

const none: ReadonlyMap<string, WaitingCommand> = new Map();

const createCommandsByServer = () => {
  const byServer = new Map<string, Map<string, WaitingCommand>>();

  const of = (serverId: string) => byServer.get(serverId) ?? none;
  const has = (command: WaitingCommand) => of(command.serverId).get(command.id) === command;
  const drop = (command: WaitingCommand) => {
    if (!has(command)) return;
    clearTimeout(command.timer);
    const own = byServer.get(command.serverId);
    own?.delete(command.id);
    if (own?.size === 0) byServer.delete(command.serverId);
  };

  return {
    of,
    add(command: WaitingCommand): void {
      const own = byServer.get(command.serverId) ?? new Map<string, WaitingCommand>();
      byServer.set(command.serverId, own.set(command.id, command));
    },
    /** Whether this command is still the one under its id. */
    has,
    drop,
    /** Drops it, and notifies those who wait for it. */
    settle(command: WaitingCommand, result: CommandResult): void {
      drop(command);
      for (const waiter of command.waiters) waiter.settle(result);
    },
    /** Drops all; those who wait get `why`. */
    end(why: Error): void {
      const all = [...byServer.values()].flatMap((own) => [...own.values()]);
      byServer.clear();
      for (const { timer, waiters } of all) {
        clearTimeout(timer);
        for (const waiter of waiters) waiter.fail(why);
      }
    },
  };
};

/** Sent and not yet confirmed as written down; an agent takes more when it has these. */
const mostInFlight = 50;

const createCommandDispatch = (
  waiting: CommandsByServer,
  expiry: CommandExpiry,
  { rows, linkOf, now, retryMs, log }: WaitingCommandsOptions,
) => {
  const pumping = new Map<string, Promise<void>>();

  const pump = (serverId: string): Promise<void> => {
    const running = pumping.get(serverId);
    if (running) return running;
    const begun = Promise.resolve().then(() => pumpAll(serverId));
    pumping.set(serverId, begun);
    return begun;
  };

  const pumpAll = async (serverId: string) => {
    try {
      for (;;) {
        const link = linkOf(serverId);
        const next = link?.isReady ? nextFor(serverId, link) : [];
        if (!link || next.length === 0) return;
        if (!(await mark(serverId, next))) return;
        for (const command of next) dispatch(command, link);
      }
    } finally {
      // In the same turn as the last check: a later caller must start again.
      pumping.delete(serverId);
    }
  };

  /** What was sent must never look unsent. @returns whether it is written */
  const mark = async (serverId: string, commands: readonly WaitingCommand[]): Promise<boolean> => {
    const unmarked = commands.filter((command) => !command.isMarked);
    try {
      if (unmarked.length > 0) await rows.markSent(unmarked.map(({ id }) => id));
    } catch (err) {
      log.warn({ err }, 'Game Agent commands are waiting for the database');
      setTimeout(() => void pump(serverId), retryMs).unref();
      return false;
    }
    for (const command of unmarked) command.isMarked = true;
    return true;
  };

  /** In order; a command that is not written yet holds up those behind it. */
  const nextFor = (serverId: string, link: AgentLink): WaitingCommand[] => {
    const next: WaitingCommand[] = [];
    let inFlight = 0;
    for (const command of waiting.of(serverId).values()) {
      if (command.sentOn === link) {
        if (command.acceptedAtMs === null) inFlight += 1;
      } else if (!command.isStored) break;
      else if (!command.isEnding) next.push(command);
      if (inFlight + next.length >= mostInFlight) break;
    }
    return inFlight >= mostInFlight ? [] : next;
  };

  const dispatch = (command: WaitingCommand, link: AgentLink) => {
    if (!waiting.has(command) || command.isEnding || !link.isReady) return;
    const { id, timeoutMs } = command;
    const expiresInMs = Math.max(0, Math.round(command.expiresAtMs - now()));
    const isTooLate = expiresInMs === 0 || command.maySend?.() === false;
    if (!command.isSent && isTooLate) return expiry.endUnsent(command, 'expired');
    command.isSent = true;
    command.sentOn = link;
    const text = command.command;
    const accepted = command.acceptedAtMs === null ? {} : { accepted: true };
    link.send({
      v: agentProtocolVersion,
      type: 'command',
      id,
      command: text,
      timeoutMs,
      expiresInMs,
      ...accepted,
    });
    expiry.arm(command);
  };

  return {
    /** Hands over what waits, in order, as far as the agent takes it. Never fails. */
    pump,
    /** What this link's agent has not confirmed as received is sent again. */
    sendAgain(serverId: string, link: AgentLink): void {
      for (const command of waiting.of(serverId).values())
        if (command.sentOn === link && command.acceptedAtMs === null) command.sentOn = null;
    },
  };
};

const longestTimerMs = 2 ** 30;

const createCommandExpiry = (
  waiting: CommandsByServer,
  { rows, now, graceMs, retryMs, log }: WaitingCommandsOptions,
) => {
  /** Until when this waiter waits, at most. */
  const patienceEnd = (command: WaitingCommand, { joinedMs }: CommandWaiter): number => {
    const { isSent, acceptedAtMs, expiresAtMs, timeoutMs } = command;
    if (!isSent) return expiresAtMs;
    if (acceptedAtMs !== null) return Math.max(acceptedAtMs, joinedMs) + timeoutMs + graceMs;
    return Math.max(expiresAtMs, joinedMs) + graceMs;
  };

  const endUnsent = (command: WaitingCommand, outcome: 'expired' | 'cancelled') => {
    if (!command.isMarked) return void endIfUnsent(command, outcome);
    const result = withoutReply(outcome);
    waiting.settle(command, result);
    // In the background: when that fails, the next start does it.
    rows
      .finish(command.serverId, command.id, result)
      .catch((err: unknown) => log.warn({ err }, 'could not end an unsent command yet'));
  };

  /** Another process may have sent it since its row was written or read. */
  const endIfUnsent = async (command: WaitingCommand, outcome: 'expired' | 'cancelled') => {
    clearTimeout(command.timer);
    command.isEnding = true;
    const result = withoutReply(outcome);
    try {
      if (await rows.finishUnsent(command.id, result)) return waiting.settle(command, result);
      const row = await rows.find(command.serverId, command.id);
      if (!row || row.result) return waiting.settle(command, row?.result ?? result);
      command.isEnding = false;
      command.isMarked = true;
      command.isSent = true;
      if (row.accepted_at !== null) command.acceptedAtMs = now();
      arm(command);
    } catch (err) {
      log.warn({ err }, 'could not end an unsent command yet');
      if (waiting.has(command)) setTimeout(() => endUnsent(command, outcome), retryMs).unref();
    }
  };

  const arm = (command: WaitingCommand) => {
    clearTimeout(command.timer);
    if (!waiting.has(command) || !command.isStored || command.isEnding) return;
    if (!command.isSent && now() >= command.expiresAtMs) return endUnsent(command, 'expired');
    let next = command.isSent ? Number.POSITIVE_INFINITY : command.expiresAtMs;
    for (const waiter of command.waiters) {
      const end = patienceEnd(command, waiter);
      if (command.isSent && now() >= end) waiter.settle(silentResult('timeout', waiter, now()));
      else next = Math.min(next, end);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    const waitMs = Math.min(longestTimerMs, Math.max(1, next - now()));
    command.timer = setTimeout(() => arm(command), waitMs).unref();
  };

  return {
    /** Checks what the passing of time means for the command, and when to check again. */
    arm,
    endUnsent,
    /** No one wants it any more, and no agent has received it: removed as if it had never existed. Never fails. */
    async takeBack(command: WaitingCommand): Promise<void> {
      waiting.drop(command);
      // Left in the database, the next start would send it. Requested again, it is wanted again.
      while (!waiting.of(command.serverId).has(command.id)) {
        try {
          return await rows.remove(command.id, command.isMarked);
        } catch (err) {
          log.warn({ err }, 'could not withdraw a command yet');
          if (!isDatabaseAway(err)) return;
          await delay(retryMs, undefined, { ref: false });
        }
      }
    },
  };
};
