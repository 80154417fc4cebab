import { setTimeout as delay } from 'node:timers/promises';
import type { CommandResult } from '#contracts/games.ts';
import type { Game } from '#games/game.ts';

/** Finds in the game's log what its console does not answer. */
export interface LogAnswers {
  /** A line of the log. */
  take(line: string): void;
  /** The result, with the log's line for a reply where the game answers nothing. */
  complete(command: string, run: () => Promise<CommandResult>): Promise<CommandResult>;
}

/** Several looks at the log. */
const patienceMs = 2000;

export const createLogAnswers = ({ readLogAnswer }: Pick<Game, 'readLogAnswer'>): LogAnswers => {
  const waiting = new Set<(line: string) => void>();
  return {
    take(line) {
      for (const read of waiting) read(line);
    },
    async complete(command, run) {
      const answerIn = readLogAnswer?.(command);
      if (!answerIn) return run();
      const found = Promise.withResolvers<string>();
      const read = (line: string) => {
        const answer = answerIn(line);
        if (answer !== null) found.resolve(answer);
      };
      waiting.add(read);
      const stopWaiting = new AbortController();
      try {
        const result = await run();
        if (result.outcome !== 'answered' || result.reply?.trim() !== '') return result;
        const { signal } = stopWaiting;
        const reply = await Promise.race([
          found.promise,
          delay(patienceMs, null, { signal, ref: false }).catch(() => null),
        ]);
        return reply === null ? result : { ...result, reply };
      } finally {
        stopWaiting.abort();
        waiting.delete(read);
      }
    },
  };
};
