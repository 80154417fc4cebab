import { agentProtocolVersion } from '#contracts/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import type { AgentLink } from './agent-link.ts';
import type { CommandExpiry } from './command-expiry.ts';
import type { CommandRows } from './command-rows.ts';
import type { CommandsByServer } from './commands-by-server.ts';
import type { WaitingCommand } from './waiting-command.ts';

export interface CommandDispatchOptions {
  readonly waiting: CommandsByServer;
  readonly expiry: Pick<CommandExpiry, 'arm' | 'endUnsent'>;
  readonly rows: Pick<CommandRows, 'markSent'>;
  /** The current link to the server's agent. */
  readonly linkOf: (serverId: string) => AgentLink | null;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
  readonly retryMs: number;
  readonly log: Log;
}

export interface CommandDispatch {
  /** Hands over what waits, in order, as far as the agent takes it. Never fails. */
  pump(serverId: string): Promise<void>;
  /** What this link's agent has not confirmed as received is sent again. */
  sendAgain(serverId: string, link: AgentLink): void;
}

/** Sent and not yet confirmed as written down; an agent takes more when it has these. */
const mostInFlight = 50;

export const createCommandDispatch = (options: CommandDispatchOptions): CommandDispatch => {
  const { waiting, expiry, rows, linkOf, now, retryMs, log } = options;
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
      else next.push(command);
      if (inFlight + next.length >= mostInFlight) break;
    }
    return inFlight >= mostInFlight ? [] : next;
  };

  const dispatch = (command: WaitingCommand, link: AgentLink) => {
    if (!waiting.has(command) || !link.isReady) return;
    const { id, timeoutMs } = command;
    const expiresInMs = Math.max(0, Math.round(command.expiresAtMs - now()));
    if (!command.isSent && expiresInMs === 0) return expiry.endUnsent(command, 'expired');
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
    pump,
    sendAgain(serverId, link) {
      for (const command of waiting.of(serverId).values())
        if (command.sentOn === link && command.acceptedAtMs === null) command.sentOn = null;
    },
  };
};
