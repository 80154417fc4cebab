import { healthReasons } from '#contracts/health-reasons.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';
import { within } from '#runtime/within.ts';
import { databaseFaultInWords } from './database-fault.ts';

const freshMs = 1000;
const deadlineMs = 1800;

/**
 * Callers within a second share one database read, so that a flood of requests does not become a flood of queries.
 * @throws {Problem} DATABASE_UNAVAILABLE while there is an obstacle, or when the answer takes too long
 */
export const coalesceReads = <Value>(
  read: () => Promise<Value>,
  obstacle: () => string | null,
): (() => Promise<Value>) => {
  let reading: Promise<Value> | null = null;
  let concludedMs = Number.NEGATIVE_INFINITY;
  let underWay = false;

  const start = (): Promise<Value> => {
    underWay = true;
    return read()
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) throw error;
        throw new Problem('DATABASE_UNAVAILABLE', { detail: databaseFaultInWords(error), cause: error });
      })
      .finally(() => {
        underWay = false;
        concludedMs = performance.now();
      });
  };

  return async () => {
    const detail = obstacle();
    if (detail !== null) throw new Problem('DATABASE_UNAVAILABLE', { detail });
    if (!reading || (!underWay && performance.now() - concludedMs >= freshMs)) reading = start();
    return within(deadlineMs, reading, () => {
      throw new Problem('DATABASE_UNAVAILABLE', { detail: healthReasons['database-late'] });
    });
  };
};
