import { isDatabaseAway } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';

/** Postgres has given a statement up, as a rule for its time (statement_timeout). */
const queryCanceled = '57014';

/** The database is away, or too slow for now. Whatever is asked next would meet the same. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isDatabaseAway(error) || (error as { code?: unknown }).code === queryCanceled;

/** The database falls behind; to wait at the end of a long queue helps nobody. */
export const tooManyWaiting = (): Problem =>
  new Problem('DATABASE_UNAVAILABLE', { detail: 'Too many requests wait for the database.' });

/** What `limitConcurrency` must know about tasks that use the database. */
export const databaseTasks = { isHopeless: isDatabaseUnavailable, tooManyWaiting } as const;
