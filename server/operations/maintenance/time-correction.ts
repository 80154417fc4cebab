import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { Log } from '#runtime/log.ts';
import type { ProvenTimeOptions } from '../../kernel/database/proven-time.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { correctQueueTimes } from '../../kernel/queues/correct-queue-times.ts';
import { correctTimes } from './correct-times.ts';

const everyMs = 3_600_000;

/**
 * Corrects stored times that lie ahead: at the first look, every hour, and as soon as the clock was set back. None while the clock
 * is behind, as after a start with an empty battery: they are right, and what was bought would be over once the clock is, too.
 */
export const createTimeCorrection = ({
  db,
  pool,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly pool: pg.Pool;
  readonly log: Log;
}): ProvenTimeOptions['onLook'] => {
  let lastMs: number | null = null;
  return async ({ wasSetBack, isBehind }) => {
    if (isBehind) return;
    if (!wasSetBack && lastMs !== null && performance.now() - lastMs < everyMs) return;
    let corrected = await correctTimes(db);
    // At a start the queues do so themselves, as soon as they are there.
    if (lastMs !== null) corrected += await correctQueueTimes(pool);
    lastMs = performance.now();
    if (corrected > 0)
      log.warn({ times: corrected }, 'corrected times that a clock had stored that was ahead');
  };
};
