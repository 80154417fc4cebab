import type { ErrorRequestHandler } from 'express';
import { Problem } from '#runtime/problem.ts';

/** As long as the database is not in use (its tables may not be there yet), what fails unexpectedly fails by that. */
export const blameDatabase =
  (obstacle: () => string | null): ErrorRequestHandler =>
  (error, _request, _response, next) => {
    const reason = obstacle();
    if (reason === null || error instanceof Problem || isClientsFault(error)) return next(error);
    next(new Problem('DATABASE_UNAVAILABLE', { detail: reason, cause: error }));
  };

/** As Express marks it. */
const isClientsFault = (error: unknown): boolean =>
  typeof (error as { status?: unknown }).status === 'number';
