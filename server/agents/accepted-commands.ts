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
 * Writes down, behind everything else, which commands their agents have got. Lost with the process, a command is handed over
 * once more, and the agent knows its id; one whose result comes first needs no such row.
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
        log.debug({ err }, 'what Game Agents have accepted is not written down yet');
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
      // A result that comes in the same turn of the event loop makes it needless.
      setImmediate(() => void write());
    },
    drop: (command) => void unwritten.delete(command),
  };
};
