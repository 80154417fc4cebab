import type { ApiFrame } from '#contracts/servers/agent-protocol.ts';
import { type CommandOutcome, type CommandResult, withoutReply } from '#contracts/servers/games.ts';
import type { Log } from '#runtime/log.ts';
import type { CommandJournal } from '../journal/command-journal.ts';
import { type ReceivedCommand, unknownResult } from '../journal/journal-entry.ts';

type CommandFrame = Extract<ApiFrame, { type: 'command' }>;

/** The part of the game that the executor needs. */
export interface CommandedGame {
  /** Null once the game accepts commands; else why it did not within the time. */
  obstacle(options: { timeoutMs: number; signal: AbortSignal }): Promise<CommandOutcome | null>;
  /** Never rejects. */
  run(command: string, options: { timeoutMs: number; signal: AbortSignal }): Promise<CommandResult>;
}

/** Reports to the API. */
export interface CommandNews {
  /** The command is written to the journal. */
  accepted(id: string): void;
  finished(id: string): void;
}

/** Accepts commands, runs them one at a time in the order of arrival, and keeps their results. */
export interface CommandExecutor extends AsyncDisposable {
  take(frame: CommandFrame): void;
  /** The API has received these results. */
  forget(ids: readonly string[]): void;
}

interface QueuedCommand {
  readonly command: ReceivedCommand;
  /** By the monotonic clock. */
  readonly deadlineMs: number;
}

export const openCommandExecutor = (options: {
  readonly journal: CommandJournal;
  readonly game: CommandedGame;
  readonly news: CommandNews;
  /** The journal cannot be written: no further command may be carried out. */
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  /** For the command in flight when the agent stops. */
  readonly patienceMs?: number;
}): CommandExecutor => {
  const { journal, game, news, onFailure, log, now = Date.now, patienceMs = 5000 } = options;
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const queue = journal.waiting().map((command) => queued(command, now()));
  let working: Promise<void> | null = null;

  const orFail = (written: Promise<unknown>) => void written.catch(onFailure);

  const receive = async ({ id, command, timeoutMs, expiresInMs }: CommandFrame) => {
    const received: ReceivedCommand = { kind: 'received', id, command, timeoutMs, expiresInMs, at: now() };
    const waiting = queued(received, received.at);
    if ((await journal.receive(received)) === 'full')
      return log.warn({ commandId: id }, 'too many commands are waiting; command not accepted');
    news.accepted(id);
    queue.push(waiting);
    work();
  };

  /** The journal once held it and has lost it: it may have been started. */
  const disown = async (id: string) => {
    log.error({ commandId: id }, 'the journal has lost a command; not running it, as it may have run before');
    await journal.finish(id, unknownResult);
    news.finished(id);
  };

  const work = () => {
    working ??= workAll()
      .catch(onFailure)
      .finally(() => {
        working = null;
      });
  };
  const workAll = async () => {
    for (let next = queue.shift(); next && !stopping.signal.aborted; next = queue.shift()) {
      const { id } = next.command;
      const result = await carryOut(next);
      if (result === null) return;
      await journal.finish(id, result);
      news.finished(id);
      log.info({ commandId: id, outcome: result.outcome, sent: result.sent }, 'command done');
    }
  };

  /** Null when the agent stops before it was started: the next start picks it up. */
  const carryOut = async ({ command, deadlineMs }: QueuedCommand): Promise<CommandResult | null> => {
    const remainingMs = deadlineMs - performance.now();
    if (remainingMs <= 0) return withoutReply('expired');
    // Asked first, so that a game that is off leaves no command in doubt.
    const obstacle = await game.obstacle({
      timeoutMs: Math.min(command.timeoutMs, remainingMs),
      signal: stopping.signal,
    });
    if (stopping.signal.aborted) return null;
    if (obstacle !== null) return withoutReply(obstacle);
    if (performance.now() >= deadlineMs) return withoutReply('expired');
    await journal.start(command.id);
    return game.run(command.command, { timeoutMs: command.timeoutMs, signal: cutOff.signal });
  };

  work();
  return {
    take(frame) {
      if (stopping.signal.aborted || journal.isWriting(frame.id)) return;
      const known = journal.find(frame.id);
      if (!known) orFail(frame.accepted ? disown(frame.id) : receive(frame));
      else if (known.stage === 'result' || known.stage === 'forgotten') news.finished(frame.id);
      else news.accepted(frame.id);
    },
    forget: (ids) => orFail(journal.forget(ids)),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const patience = setTimeout(() => cutOff.abort(), patienceMs);
      await working;
      clearTimeout(patience);
    },
  };
};

/**
 * This machine's clock decides only for a command from before a restart; if it was set back to before the receipt, the age is
 * unknown, so the command counts as expired.
 */
const queued = (command: ReceivedCommand, nowMs: number): QueuedCommand => {
  const { at, expiresInMs } = command;
  const remainingMs = nowMs < at ? 0 : at + expiresInMs - nowMs;
  return { command, deadlineMs: performance.now() + remainingMs };
};
