import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';
import { type ConsoleRow, finishCommand } from './console-rows.ts';

const retryMs = 1000;
/** What more than this would wait for a database that is away stays running until the next start settles it. */
const mostWaiting = 1000;

/** Writes the outcomes of commands as soon as the database takes them. */
export interface OutcomeWriter extends AsyncDisposable {
  /**
   * Never rejects; callers that wait for the game do not wait for a database that is away.
   * @returns the row as it stands, as far as the database tells
   */
  write(row: ConsoleRow): Promise<ConsoleRow>;
}

export const createOutcomeWriter = (db: Kysely<Tables>, log: Log): OutcomeWriter => {
  const waiting = new Set<ConsoleRow>();
  const stopping = new AbortController();
  let writing: Promise<void> | null = null;

  const writeWaiting = async () => {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      await delay(retryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      try {
        for (const row of waiting) {
          await finishCommand(db, row);
          waiting.delete(row);
        }
      } catch (error) {
        log.debug({ err: error }, 'the database does not take the ends of console commands yet');
      }
    }
    writing = null;
  };

  return {
    async write(row) {
      try {
        return await finishCommand(db, row);
      } catch (error) {
        log.warn({ err: error, id: row.id }, 'the end of a console command could not be written yet');
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
