import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import { sleep } from '#runtime/sleep.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type ConsoleRow, finishCommand } from './console-rows.ts';

const retryMs = 1000;
/** Outcomes beyond this many are not kept for an unavailable database: they stay running until the next start settles them. */
const mostWaiting = 1000;

/** Writes the outcomes of commands as soon as the database takes them. */
export const createOutcomeWriter = (db: Kysely<Tables>, log: Log) => {
  const waiting = new Set<ConsoleRow>();
  const stopping = new AbortController();
  let writing: Promise<void> | null = null;

  const writeWaiting = async () => {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      await sleep(retryMs, stopping.signal, { ref: false });
      try {
        for (const row of waiting) {
          await finishCommand(db, row);
          waiting.delete(row);
        }
      } catch (error) {
        log.debug({ err: error }, 'console command results are waiting for the database');
      }
    }
    writing = null;
  };

  return {
    /**
     * Never rejects; callers that wait for the game do not wait for an unavailable database.
     * @returns the stored row, as far as the database answers
     */
    async write(row: ConsoleRow): Promise<ConsoleRow> {
      try {
        return await finishCommand(db, row);
      } catch (error) {
        log.warn({ err: error, id: row.id }, 'could not write a console command result yet');
        if (waiting.size >= mostWaiting) return row;
        waiting.add(row);
        writing ??= writeWaiting();
        return row;
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await writing;
    },
  };
};
