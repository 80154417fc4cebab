import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

const retries = 3;
const longestPauseMs = 50;

/** SQLSTATE `deadlock_detected` and `serialization_failure`: the transaction left nothing and may well succeed now. */
const isRetryable = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === '40P01' || code === '40001';
};

/**
 * Runs the work in a transaction, and again, at most three times, if Postgres ended it to resolve a conflict. The pause
 * is random, so that two that met do not meet again. Effects outside the transaction belong after this call, not into
 * it.
 */
export const retryDeadlocks = async <Result>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> => {
  for (let retried = 0; ; retried += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (retried === retries || !isRetryable(error)) throw error;
      await pause(Math.random() * longestPauseMs);
    }
  }
};
