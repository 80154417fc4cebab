import type { ErrorRequestHandler } from 'express';
import { isDiskFull } from '#runtime/disk-space.ts';
import { Problem } from '#runtime/problem.ts';
import { isDatabaseUnavailable } from './database-fault.ts';

/**
 * While the database is not in use (its tables may not exist yet), unexpected errors become DATABASE_UNAVAILABLE. While
 * its disk is full, database errors become DISK_FULL: Postgres cuts connections when it cannot write.
 * @param fullDisk which disk is full, in words; null when none is
 */
export const mapDatabaseErrors =
  (obstacle: () => string | null, fullDisk: () => Promise<string | null>): ErrorRequestHandler =>
  async (error, _request, _response, next) => {
    if (isClientsFault(error) || isDiskFull(error)) return next(error);
    const reason = obstacle();
    const isAway = isDatabaseUnavailable(error);
    if (reason === null && !isAway) return next(error);
    if (isAway || !(error instanceof Problem)) {
      const detail = await fullDisk();
      if (detail !== null) return next(new Problem('DISK_FULL', { detail, cause: error }));
    }
    if (reason === null || error instanceof Problem) return next(error);
    next(new Problem('DATABASE_UNAVAILABLE', { detail: reason, cause: error }));
  };

/** Express marks such errors. */
const isClientsFault = (error: unknown): boolean =>
  typeof (error as { status?: unknown }).status === 'number';
