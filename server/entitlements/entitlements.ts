import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { retryDeadlocks } from '../database/retry-deadlocks.ts';
import { addUp, lockGroup } from './add-up.ts';
import { createDailyKits, type DailyKitsOptions } from './daily-kits.ts';
import { createDecideEntitlements, type DecideEntitlements } from './decide-entitlements.ts';
import { type EndsReading, inspectEnds } from './inspect-ends.ts';
import { createEntitlementReading, type EntitlementReading } from './read-entitlements.ts';
import { createSendPlaces, type SendPlaces, type SendPlacesOptions } from './send-places.ts';

export interface EntitlementsOptions extends Pick<SendPlacesOptions, 'db' | 'ways' | 'servers' | 'answerMs'> {
  readonly addDeliveries: DailyKitsOptions['addDeliveries'];
  readonly timeZone: DailyKitsOptions['timeZone'];
  /** Deliveries of these members were added. */
  readonly wakeDeliveries: (memberIds: readonly string[]) => void;
  /** Something has ended that may be a role in Discord. */
  readonly onEnded: () => void;
  readonly licenseHolds: () => boolean;
  readonly isPaused: () => boolean;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  readonly log: Log;
}

/** What members have for a limited time: how long it lasts, and that its end takes it back. */
export interface Entitlements extends AsyncDisposable {
  /** Looks for work from now on. Needs the schema; safe to call twice. */
  begin(): void;
  /** Something may be due: a refund, or a server that is back. */
  wake(): void;
  /** One round, until nothing is under way. */
  round(): Promise<void>;
  readonly takeLate: SendPlaces['takeLate'];
  readonly reading: EntitlementReading;
  /** The state of the ends, and whether they are processed. */
  inspect(): Promise<EndsReading>;
  readonly decide: DecideEntitlements;
}

const everyMs = 5000;
/** Entitlements per statement. */
const mostAtOnce = 200;
const stopDeadlineMs = 3000;

export const createEntitlements = (options: EntitlementsOptions): Entitlements => {
  const { db, ways, servers, licenseHolds, isPaused, log } = options;
  const clock = options.now ?? Date.now;
  const now = () => new Date(clock());
  const stopping = new AbortController();
  const mayRun = () => licenseHolds() && !isPaused() && !stopping.signal.aborted;
  const kits = createDailyKits({ ...options, now });
  let timer: Disposable | null = null;
  let last = Promise.resolve();
  let isWoken = false;
  /** When its work last made progress. */
  let aliveMs: number | null = null;

  const tell = (error: unknown) => {
    if (stopping.signal.aborted) return;
    if (isDatabaseUnavailable(error))
      log.debug({ err: error }, 'timed purchases are waiting for the database');
    else log.error({ err: error }, 'could not process timed purchases; will retry');
  };
  const sending = createSendPlaces({
    db,
    ways,
    servers,
    now,
    stopping: stopping.signal,
    mayRun,
    tell,
    answerMs: options.answerMs,
  });

  const addUpOne = async (entitlementId: string): Promise<boolean> => {
    const hasEnded = await retryDeadlocks(db, async (trx) => {
      const group = await lockGroup(trx, entitlementId);
      return group !== null && !(await addUp(trx, group, { now: now() })) && !group.wasOver;
    });
    return hasEnded;
  };

  /** Grants that changed, then ends that are due; both may be many after a downtime. */
  const follow = async (): Promise<void> => {
    for (;;) {
      const changed = await db
        .selectFrom('entitlement_news')
        .select('entitlement_id as id')
        .distinct()
        .limit(mostAtOnce)
        .execute();
      const due = await db
        .selectFrom('entitlements')
        .select('id')
        .where('ended_at', 'is', null)
        .where('ends_at', '<=', now())
        .orderBy('ends_at')
        .limit(mostAtOnce)
        .execute();
      const ids = new Set([...changed, ...due].map(({ id }) => id));
      let hasEnded = false;
      for (const id of ids) {
        if (stopping.signal.aborted) return;
        if (await addUpOne(id)) hasEnded = true;
        aliveMs = clock();
      }
      if (hasEnded) options.onEnded();
      if (changed.length < mostAtOnce && due.length < mostAtOnce) return;
    }
  };

  const look = async (): Promise<void> => {
    if (mayRun()) {
      await follow();
      await sending.recover();
      await sending.sendDue();
      options.wakeDeliveries(await kits.give());
    }
    aliveMs = clock();
  };

  const round = (): Promise<void> => {
    last = last.catch(() => undefined).then(look);
    return last.then(sending.idle);
  };
  const wake = () => {
    if (isWoken || timer === null) return;
    isWoken = true;
    last = last
      .catch(() => undefined)
      .then(() => {
        isWoken = false;
        return look();
      })
      .catch(tell);
  };

  return {
    begin() {
      aliveMs ??= clock();
      timer ??= runPeriodically({
        intervalMs: everyMs,
        startsAtOnce: true,
        work: async () => wake(),
        failure: 'could not process timed purchases',
        log,
      });
      wake();
    },
    wake,
    round,
    takeLate: sending.takeLate,
    reading: createEntitlementReading(db, now),
    async inspect() {
      const at = now();
      return {
        ...(await inspectEnds(db, at)),
        // A clock that is set back counts on from there at the next round.
        silentMs: aliveMs === null ? null : Math.abs(at.getTime() - aliveMs),
        isPaused: isPaused(),
      };
    },
    decide: createDecideEntitlements({
      db,
      now,
      onChange() {
        wake();
        options.onEnded();
      },
    }),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      timer?.[Symbol.dispose]();
      // The next process recovers what is still in flight.
      await Promise.race([
        Promise.allSettled([last, sending.idle()]),
        delay(stopDeadlineMs, undefined, { ref: false }),
      ]);
    },
  };
};
