import { type Kysely, sql, type Transaction } from 'kysely';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { DeliveryWays } from '../console-router/delivery-ways.ts';
import type { Tables } from '../database/tables.ts';
import type { JobSender } from '../queues/job-sender.ts';
import type { WorkerDeclaration } from '../queues/workers.ts';
import { type Attempts, createAttempts } from './attempts.ts';
import { createSendCounterCommands } from './counter-commands.ts';
import { createDeliveriesTopic, type DeliveriesTopic } from './deliveries-topic.ts';
import { createDeliveryRunner } from './delivery-runner.ts';
import type { PresentPlayer, TargetServer } from './delivery-targets.ts';
import { type DeliveryTiming, usualTiming } from './delivery-timing.ts';
import { createDesk, type Desk } from './desk.ts';
import { createDeskRules, type DeskRules } from './desk-rules.ts';
import { deskAllRestored, renewIncarnation } from './epochs.ts';
import { cancelExpired, followLicense } from './expiry.ts';
import { createGiftGuards } from './gift-guards.ts';
import { createTakeLate, type TakeLate } from './late-results.ts';
import type { DeliveryJob } from './new-deliveries.ts';
import { createDeliveryReading, type DeliveryReading } from './read-deliveries.ts';
import { tellNoServer } from './servers-gone.ts';
import { createSettleMarks, type DeliveryUpkeep } from './settle-marks.ts';

export interface DeliveriesOptions {
  readonly db: Kysely<Tables>;
  readonly ways: DeliveryWays;
  /** Those in use. */
  readonly servers: { all(): readonly TargetServer[] };
  readonly presence: { openSessions(): readonly PresentPlayer[] };
  readonly jobs: Pick<JobSender, 'send'>;
  /** The product sells no more until a person has looked. */
  readonly holdProduct: (trx: Transaction<Tables>, productId: string, reason: string) => Promise<void>;
  readonly licenseHolds: () => boolean;
  /** The queue `delivery` takes nothing at the moment. */
  readonly isPaused?: () => boolean;
  /** In the home: `store-incarnation.json`. */
  readonly incarnationFile: string;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  readonly timing?: Partial<DeliveryTiming>;
  readonly log: Log;
}

/** What was bought, on its way to the games. */
export interface Deliveries extends AsyncDisposable {
  /** Once the schema stands and the queues run: asks what became of what was under way, and moves the rest. May be called again. */
  prepare(): Promise<void>;
  /** There may be something to do for these members. */
  wake(memberIds: Iterable<string>): void;
  /** Settles when nothing of what was woken can go on now. */
  idle(): Promise<void>;
  readonly worker: WorkerDeclaration;
  readonly maintenance: readonly DeliveryUpkeep[];
  readonly takeLate: TakeLate;
  onPlayerJoined(playerId: string): void;
  onServerBack(serverId: string): void;
  /** Servers were archived: what waits for a player there may have none left to be given on. */
  onServersGone(): void;
  readonly withdraw: Desk['withdraw'];
  readonly sendCounterCommands: (ids: readonly string[]) => Promise<void>;
  readonly reading: DeliveryReading;
  readonly desk: Desk;
  readonly rules: DeskRules;
  readonly topic: DeliveriesTopic;
  /** Expiry, what waits for a time, and what no wake told of; by itself every half a minute. */
  sweep(): Promise<void>;
  readonly db: Kysely<Tables>;
}

/** Members that one sweep wakes. */
const mostWoken = 500;

/** The numbers of deliveries by state are added up when they are read; what has piled up becomes one row for each state. */
const foldCounts = (db: Kysely<Tables>) =>
  sql`
    with folded as (delete from delivery_counts returning job_state, count)
    insert into delivery_counts select job_state, sum(count) from folded group by 1 having sum(count) <> 0`.execute(
    db,
  );

export const createDeliveries = (options: DeliveriesOptions): Deliveries => {
  const { db, ways, servers, presence, jobs, licenseHolds, log, now = Date.now } = options;
  const timing: DeliveryTiming = { ...usualTiming, ...options.timing };
  const stopping = new AbortController();
  const work = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let hasSent = false;
  let preparing: Promise<void> | null = null;

  const inBackground = (what: Promise<unknown>) => {
    const guarded: Promise<void> = what
      .then(() => undefined)
      .catch((error: unknown) => {
        if (stopping.signal.aborted) return;
        if (isDatabaseAway(error)) log.debug({ err: error }, 'deliveries wait for the database');
        else log.error({ err: error }, 'work on deliveries failed; tried again with the next sweep');
      })
      .finally(() => work.delete(guarded));
    work.add(guarded);
  };

  const reading = createDeliveryReading(db);
  const topic = createDeliveriesTopic({ countDesk: reading.countDesk, log });
  /** Also after a failure: some of it may be committed. */
  const telling =
    <Taken extends unknown[], Made>(act: (...taken: Taken) => Promise<Made>) =>
    (...taken: Taken): Promise<Made> =>
      act(...taken).finally(topic.changed);

  const guards = createGiftGuards({ ways, now, log });
  const present = presence.openSessions;
  const made = createAttempts({
    db,
    ways,
    servers,
    guards,
    timing,
    now,
    stopping: stopping.signal,
    holdProduct: options.holdProduct,
    onClaim: () => {
      hasSent = true;
      topic.changed();
    },
    onDesk: (deliveryId) => inBackground(Promise.resolve().then(() => rules.apply([deliveryId]))),
  });
  const attempts: Attempts = {
    send: telling(made.send),
    recover: telling(made.recover),
    conclude: telling(made.conclude),
  };
  const runner = createDeliveryRunner({
    db,
    attempts,
    ways,
    servers,
    present,
    mayRun: () => licenseHolds() && options.isPaused?.() !== true,
    onWaiting: topic.changed,
    now,
    timing,
    log,
  });
  /** Also of what was ordered just now: a job says so once that is committed. */
  const wake = (memberIds: Iterable<string>) => {
    topic.changed();
    runner.wake(memberIds);
  };
  const decisions = createDesk({ db, ways, guards, attempts, servers, jobs, wake });
  const desk: Desk = {
    ...decisions,
    decide: telling(decisions.decide),
    cancel: telling(decisions.cancel),
    retry: telling(decisions.retry),
  };
  const rules = createDeskRules(db, desk);
  const marks = createSettleMarks({ db, ways, guards, attempts, timing, log });

  /** The last member that was looked at in turn. */
  let turn = '0';

  /**
   * What waits for a time, what was left under way, and what waits for players who are there. Besides those that are due
   * for the longest time, all have their turn: one whose first delivery holds up many others stays due.
   */
  const wakeDue = async () => {
    const inTurn = await sql<{ member_id: string }>`
      select distinct member_id from deliveries
      where state in ('pending', 'waiting') and next_try_at <= now() and waits_for is distinct from 'player'
        and member_id > ${turn}
      order by member_id limit ${mostWoken}`.execute(db);
    turn = inTurn.rows.length < mostWoken ? '0' : (inTurn.rows.at(-1)?.member_id ?? '0');
    const due = await sql<{ member_id: string }>`
      select distinct coalesce(members.merged_into, members.id) as member_id from (
        (select member_id from deliveries
          where state in ('pending', 'waiting') and next_try_at <= now() and waits_for is distinct from 'player'
          order by next_try_at limit ${mostWoken})
        union all (select member_id from deliveries where state = 'sending' limit ${mostWoken})
        union all (select unnest(${inTurn.rows.map(({ member_id }) => member_id)}::bigint[]))
      ) due join members on members.id = due.member_id`.execute(db);
    runner.wake(due.rows.map(({ member_id }) => member_id));
    await wakePlayers([...new Set(present().map(({ playerId }) => playerId))]);
  };

  const wakePlayers = async (playerIds: readonly string[]) => {
    if (playerIds.length === 0) return;
    const there = await sql<{ member_id: string }>`
      select distinct players.member_id from players
      where players.id = any (${playerIds}::bigint[]) and exists (
        select from deliveries
        where deliveries.state in ('pending', 'waiting') and deliveries.member_id in (
          select id from members where id = players.member_id or merged_into = players.member_id))`.execute(
      db,
    );
    runner.wake(there.rows.map(({ member_id }) => member_id));
  };

  /** Servers that came back, and have not said yet what they still know. */
  const cameBack = new Set<string>();
  let settling: Promise<void> | null = null;

  /** Games are asked, which takes its time: one round after the other. */
  const settle = (): Promise<void> => {
    const round = async () => {
      await Promise.all(
        [...cameBack].map(async (serverId) => {
          cameBack.delete(serverId);
          let hasAnswered = false;
          try {
            hasAnswered = await marks.findRolledBack(serverId);
          } finally {
            if (!hasAnswered) cameBack.add(serverId);
          }
        }),
      );
      await marks.settleUnknown();
      await rules.apply();
    };
    settling ??= telling(round)().finally(() => {
      settling = null;
    });
    return settling;
  };

  const sweep = telling(async () => {
    const holds = licenseHolds();
    await followLicense(db, holds);
    if (hasSent) {
      // What is sent meanwhile counts for the next time.
      hasSent = false;
      await followRestores().catch((error: unknown) => {
        hasSent = true;
        throw error;
      });
    }
    if (!holds) return;
    // Where one part fails or has to wait for a game, the others go on.
    const parts = await Promise.allSettled([wakeDue(), cancelExpired(db), settle(), foldCounts(db)]);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  });

  const followRestores = async () => {
    const isRestored = await renewIncarnation(db, options.incarnationFile);
    if (isRestored) log.warn('the database is another one than before: what may have been sent is not');
    const moved = await deskAllRestored(db);
    if (moved > 0) log.warn({ deliveries: moved }, 'deliveries of a restored database wait for a decision');
  };

  const prepare = async () => {
    await followRestores();
    await tellNoServer(db);
    timer = setInterval(() => inBackground(sweep()), timing.sweepMs).unref();
    inBackground(sweep());
  };

  return {
    db,
    prepare() {
      preparing ??= prepare().catch((error: unknown) => {
        preparing = null;
        throw error;
      });
      return preparing;
    },
    wake,
    idle: runner.idle,
    worker: {
      queue: 'delivery-wakes',
      batchSize: 500,
      // The delivery is the truth: a job only says that there may be something to do, and is done when that was said.
      handle: async (batch) => {
        const memberIds = batch.map(({ data }) => (data as Partial<DeliveryJob> | null)?.memberId);
        wake(new Set(memberIds.filter((memberId) => typeof memberId === 'string')));
      },
    },
    maintenance: [marks.forgetMarks],
    takeLate: telling(createTakeLate({ db, attempts })),
    onPlayerJoined: (playerId) => inBackground(wakePlayers([playerId])),
    onServersGone: () => inBackground(telling(tellNoServer)(db)),
    onServerBack(serverId) {
      guards.forget(serverId);
      cameBack.add(serverId);
      inBackground(Promise.allSettled([settling]).then(settle));
      inBackground(
        (async () => {
          const waiting = await sql<{ member_id: string }>`
            select distinct coalesce(members.merged_into, members.id) as member_id
            from deliveries join members on members.id = deliveries.member_id
            where state = 'waiting' and waits_for = 'server' limit ${mostWoken}`.execute(db);
          runner.wake(waiting.rows.map(({ member_id }) => member_id));
          await wakePlayers(
            present()
              .filter((player) => player.serverId === serverId)
              .map(({ playerId }) => playerId),
          );
        })(),
      );
    },
    withdraw: desk.withdraw,
    sendCounterCommands: createSendCounterCommands({ db, ways, log }),
    reading,
    desk,
    rules,
    topic,
    sweep,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      topic[Symbol.dispose]();
      stopping.abort();
      await runner[Symbol.asyncDispose]();
      await Promise.allSettled([...work]);
    },
  };
};
