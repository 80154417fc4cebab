import type pg from 'pg';
import type { Clock } from '#runtime/clock.ts';
import { aheadToleranceMs } from '#runtime/is-ahead.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { longestWindowMinutes } from './attempt-limits.ts';
import { deviceBound } from './customer-devices.ts';
import { sessionBounds } from './customer-sessions.ts';

const intervalMs = 10 * 60_000;
/** Codes last for minutes. */
const longestCodeMs = 86_400_000;

/**
 * Deletes what has expired, which would be of use only to a thief of the database, and what began while the clock was ahead,
 * which would be valid for years. A row that another transaction has
 * locked is left for the next time: waiting for it could cause a deadlock with "sign out everywhere".
 */
export const forgetOldSignIns = async (pool: pg.Pool, clock: Clock): Promise<void> => {
  const { createdAfter, usedAfter } = sessionBounds(clock.now());
  await pool.query(
    `delete from customer_codes where (holder_hash, purpose) in (
      select holder_hash, purpose from customer_codes where expires_at <= $1 or expires_at > $2
      for update skip locked
    )`,
    [clock.now(), new Date(clock.now().getTime() + longestCodeMs)],
  );
  await pool.query(
    `delete from customer_sessions where id in (
      select id from customer_sessions where created_at <= $1 or last_used_at <= $2 or created_at > $3
      for update skip locked
    )`,
    [createdAfter, usedAfter, new Date(clock.now().getTime() + aheadToleranceMs)],
  );
  await pool.query(
    `delete from customer_devices where token_hash in (
      select token_hash from customer_devices where last_used_at <= $1 for update skip locked
    )`,
    [deviceBound(clock.now())],
  );
  await pool.query(
    `delete from customer_attempts where (scope, subject) in (
      select scope, subject from customer_attempts
      where made_at[cardinality(made_at)] < now() - make_interval(mins => $1)
      for update skip locked
    )`,
    [longestWindowMinutes],
  );
};

export const keepForgettingSignIns = (pool: pg.Pool, clock: Clock, log: Log): Disposable =>
  runPeriodically({
    intervalMs,
    work: () => forgetOldSignIns(pool, clock),
    failure: 'could not delete old codes and sessions',
    log,
  });
