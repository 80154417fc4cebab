import { uptime } from 'node:os';
import { type Kysely, sql } from 'kysely';
import { isBeforeBuild } from '#runtime/build-date.ts';
import { isAhead } from '#runtime/is-ahead.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { followClock, type KnownClock } from './follow-clock.ts';
import type { Tables } from './tables.ts';

export interface ProvenTime extends Disposable {
  /** Looks at the clock, from now on every minute. Needs the schema; fails while the database is away. */
  begin(): Promise<void>;
  /** How far the clock is ahead of what is proven, as of the last look. */
  unprovenMs(): number;
}

export interface ProvenTimeOptions {
  readonly db: Kysely<Tables>;
  /**
   * After each look: whether the clock was set back before it, and whether it is behind a time that has passed for certain.
   * Fails like the look.
   */
  readonly onLook: (look: { readonly wasSetBack: boolean; readonly isBehind: boolean }) => Promise<void>;
  /** A time that has passed for certain, in milliseconds since 1970; null: none is known. */
  readonly signedMs: () => number | null;
  /** Asks who signs such a time; called at each look while the clock is doubted. */
  readonly askForTime: () => Promise<unknown>;
  readonly log: Log;
  /** Since the machine was started, in milliseconds, asleep or not. */
  readonly uptimeMs?: () => number;
}

const lookEveryMs = 60_000;

/** Compares the database's clock with the machine's time since its start, which no one sets. */
export const createProvenTime = (options: ProvenTimeOptions): ProvenTime => {
  const { db, onLook, signedMs, askForTime, log, uptimeMs = () => uptime() * 1000 } = options;
  let timer: Disposable | undefined;
  let lastBootedMs: number | null = null;
  let steadySinceMs = uptimeMs();
  let unprovenMs = 0;

  const look = () =>
    db.transaction().execute(async (trx) => {
      // Also before there is a row.
      await sql`select pg_advisory_xact_lock(hashtextextended('castellan-proven-time', 0))`.execute(trx);
      const { rows } = await sql<{ readonly now: Date }>`select clock_timestamp() as now`.execute(trx);
      const nowMs = rows[0]?.now.getTime() ?? Number.NaN;
      const bootedMs = nowMs - uptimeMs();
      const row = await trx.selectFrom('proven_time').selectAll().executeTakeFirst();
      const known: KnownClock | null = row
        ? {
            seenMs: row.seen_at.getTime(),
            bootedMs: row.booted_at.getTime(),
            trustedMs: row.trusted_at.getTime(),
            unprovenMs: Number(row.unproven_ms),
            jumpedMs: row.jumped_at?.getTime() ?? null,
            untilMs: row.until?.getTime() ?? null,
          }
        : null;
      const steadyMs = uptimeMs() - steadySinceMs;
      const passedMs = signedMs();
      const next = followClock(known, { nowMs, bootedMs, lastBootedMs, steadyMs, signedMs: passedMs });
      const values = {
        is_only: true,
        seen_at: new Date(next.seenMs),
        booted_at: new Date(next.bootedMs),
        trusted_at: new Date(next.trustedMs),
        unproven_ms: String(Math.round(next.unprovenMs)),
        jumped_at: next.jumpedMs === null ? null : new Date(next.jumpedMs),
        until: next.untilMs === null ? null : new Date(next.untilMs),
      };
      await trx
        .insertInto('proven_time')
        .values(values)
        .onConflict((conflict) => conflict.column('is_only').doUpdateSet(values))
        .execute();
      const isBehind = (passedMs !== null && isAhead(passedMs, nowMs)) || isBeforeBuild(nowMs);
      return { known, next, isBehind };
    });

  const follow = async (): Promise<void> => {
    const { known, next, isBehind } = await look();
    const jumpMs = lastBootedMs === null ? 0 : next.bootedMs - lastBootedMs;
    if (Math.abs(jumpMs) > lookEveryMs) steadySinceMs = uptimeMs();
    lastBootedMs = next.bootedMs;
    unprovenMs = next.unprovenMs;
    if (next.unprovenMs > (known?.unprovenMs ?? 0))
      log.warn(
        { seconds: Math.round(next.unprovenMs / 1000), until: new Date(next.untilMs ?? 0).toISOString() },
        'the clock went forward at once; until then nothing is deleted and nothing ends because of that',
      );
    // Not waited for: a silent portal holds up no start.
    if (next.unprovenMs > 0)
      askForTime().catch((error: unknown) =>
        log.warn({ err: error }, 'could not ask the portal for the time'),
      );
    await onLook({ wasSetBack: known !== null && next.seenMs < known.seenMs, isBehind });
  };

  return {
    async begin() {
      await follow();
      timer ??= runPeriodically({
        intervalMs: lookEveryMs,
        work: follow,
        failure: 'could not look at the clock; will retry in a minute',
        log,
      });
    },
    unprovenMs: () => unprovenMs,
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  };
};
