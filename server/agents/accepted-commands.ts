import type { Log } from '#runtime/log.ts';
import type { CommandRows } from './command-rows.ts';
import type { WaitingCommand } from './waiting-command.ts';

export interface AcceptedCommandsOptions {
  readonly rows: Pick<CommandRows, 'markAccepted'>;
  readonly isWaiting: (command: WaitingCommand) => boolean;
  readonly retryMs: number;
  readonly log: Log;
}

/**
 * Records, after all other work, which commands their agents have received. If the process loses a record, a command is
 * handed over once more, and the agent knows its id; a command whose result comes first needs no record.
 */
export interface AcceptedCommands {
  add(commands: readonly WaitingCommand[]): void;
  /** Its result is being written down. */
  drop(command: WaitingCommand): void;
}

export const createAcceptedCommands = (options: AcceptedCommandsOptions): AcceptedCommands => {
  const { rows, isWaiting, retryMs, log } = options;
  const unwritten = new Set<WaitingCommand>();
  let isWriting = false;

  const write = async () => {
    for (;;) {
      const batch = [...unwritten].filter(isWaiting);
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
    add(commands) {
      for (const command of commands) unwritten.add(command);
      if (isWriting || commands.length === 0) return;
      isWriting = true;
      // A result that comes in the same turn of the event loop makes it unnecessary.
      setImmediate(() => void write());
    },
    drop: (command) => void unwritten.delete(command),
  };
};
