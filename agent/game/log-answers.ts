import { setTimeout as delay } from 'node:timers/promises';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { Game } from '#games/game.ts';

/** Finds in the game's log what its console does not answer. */
interface LogAnswers {
  /** Passes a line of the log. */
  take(line: string): void;
  /** The result with the log's line added: as the reply if the game gives none, as evidence if the answer was lost. */
  complete(command: string, run: () => Promise<CommandResult>): Promise<CommandResult>;
}

/** Time for several checks of the log. */
const patienceMs = 2000;

type Reader = (line: string) => string | null;

export const createLogAnswers = ({
  readLogAnswer,
  isExecution,
}: Pick<Game, 'readLogAnswer' | 'isExecution'>): LogAnswers => {
  /** In the order in which the commands were given: for two identical ones, the first line belongs to the first. */
  const waiting = new Map<Reader, (found: string) => void>();

  const complete = async (
    read: Reader,
    isMissing: (result: CommandResult) => boolean,
    withLine: (result: CommandResult, line: string) => CommandResult,
    run: () => Promise<CommandResult>,
  ): Promise<CommandResult> => {
    const found = Promise.withResolvers<string>();
    waiting.set(read, found.resolve);
    try {
      const result = await run();
      if (!isMissing(result)) return result;
      const line = await Promise.race([found.promise, delay(patienceMs, null, { ref: false })]);
      return line === null ? result : withLine(result, line);
    } finally {
      // The log lags behind the console: a line of this command must not count for the next.
      setTimeout(() => waiting.delete(read), patienceMs).unref();
    }
  };

  return {
    take(line) {
      for (const [read, tell] of waiting) {
        const found = read(line);
        if (found === null) continue;
        waiting.delete(read);
        return tell(found);
      }
    },
    complete(command, run) {
      const answerIn = readLogAnswer?.(command);
      if (answerIn) return complete(answerIn, isSilent, (result, reply) => ({ ...result, reply }), run);
      if (!isExecution) return run();
      const read = (line: string) => (isExecution(line, command) ? line : null);
      return complete(read, isLost, (result, logLine) => ({ ...result, logLine }), run);
    },
  };
};

const isSilent = ({ outcome, reply }: CommandResult): boolean =>
  outcome === 'answered' && reply?.trim() === '';
const isLost = ({ outcome, sent, logLine }: CommandResult): boolean =>
  sent && outcome !== 'answered' && logLine === undefined;
