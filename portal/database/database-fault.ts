import { isDatabaseAway } from '#runtime/database/pool.ts';
import { Problem } from '#runtime/problem.ts';

/** Postgres cancelled a statement, usually because it took too long (statement_timeout). */
const queryCanceled = '57014';

/** Postgres has no connection left, for the portal's role or for all. */
const tooManyConnections = '53300';

/** No name resolution or route to its machine at the moment. */
const notToBeFound = ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const passing: readonly unknown[] = [queryCanceled, tooManyConnections, ...notToBeFound];

/** The database is unreachable, too slow or too busy at the moment. Further requests would meet the same. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isDatabaseAway(error) || passing.includes((error as { code?: unknown }).code);

/** The database falls behind; waiting at the end of a long queue helps no one. */
export const tooManyWaiting = (): Problem =>
  new Problem('DATABASE_UNAVAILABLE', { detail: 'Too many requests wait for the database.' });

/** What `limitConcurrency` needs to know about tasks that use the database. */
export const databaseTasks = { isHopeless: isDatabaseUnavailable, tooManyWaiting } as const;
