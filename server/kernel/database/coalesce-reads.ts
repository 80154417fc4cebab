import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';
import { shareReading } from '#runtime/shared-reading.ts';
import { within } from '#runtime/within.ts';
import { databaseFaultInWords } from './database-fault.ts';

const deadlineMs = 1800;

/**
 * Callers within a second share one database read, so that a flood of requests does not become a flood of queries.
 * @throws {Problem} DATABASE_UNAVAILABLE while there is an obstacle, or when the answer takes too long
 */
export const coalesceReads = <Value>(
  read: () => Promise<Value>,
  obstacle: () => string | null,
): (() => Promise<Value>) => {
  const reading = shareReading(() =>
    read().catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error;
      throw new Problem('DATABASE_UNAVAILABLE', { detail: databaseFaultInWords(error), cause: error });
    }),
  );

  return async () => {
    const detail = obstacle();
    if (detail !== null) throw new Problem('DATABASE_UNAVAILABLE', { detail });
    return within(deadlineMs, reading.now(), () => {
      throw new Problem('DATABASE_UNAVAILABLE', { detail: healthReasons['database-late'] });
    });
  };
};
