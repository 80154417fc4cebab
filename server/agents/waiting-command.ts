import type { CommandResult } from '#contracts/games.ts';
import type { AgentLink } from './agent-link.ts';
import type { CommandRow } from './command-rows.ts';

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
  readonly waiters: Set<CommandWaiter>;
  /** The row is committed. */
  isStored: boolean;
  /** The row says that it may have been sent. */
  isMarked: boolean;
  /** A frame went out, from this process or an earlier one. */
  isSent: boolean;
  sentOn: AgentLink | null;
  acceptedAtMs: number | null;
  timer: NodeJS.Timeout | undefined;
}

export const newCommand = (
  given: Pick<WaitingCommand, 'id' | 'serverId' | 'command' | 'timeoutMs' | 'expiresAtMs'>,
): WaitingCommand => ({
  ...given,
  waiters: new Set(),
  isStored: false,
  isMarked: false,
  isSent: false,
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
  sentOn: null,
  acceptedAtMs: row.accepted_at === null ? null : nowMs,
  timer: undefined,
});

/** Until when this waiter waits, at most. */
export const patienceEnd = (
  command: Pick<WaitingCommand, 'isSent' | 'acceptedAtMs' | 'expiresAtMs' | 'timeoutMs'>,
  joinedMs: number,
  graceMs: number,
): number => {
  const { isSent, acceptedAtMs, expiresAtMs, timeoutMs } = command;
  if (!isSent) return expiresAtMs;
  if (acceptedAtMs !== null) return Math.max(acceptedAtMs, joinedMs) + timeoutMs + graceMs;
  return Math.max(expiresAtMs, joinedMs) + graceMs;
};

/** What waiters are told when the command was sent and nothing came back. */
export const silentResult = (outcome: 'timeout' | 'cancelled', durationMs: number): CommandResult => ({
  outcome,
  reply: null,
  truncated: false,
  sent: true,
  durationMs: Math.max(0, durationMs),
});
