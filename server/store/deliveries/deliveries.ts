import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { CommandResult } from '#contracts/servers/games.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { isDatabaseUnavailable } from '../../kernel/database/database-fault.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { deliveryQueue } from '../../kernel/queues/queues.ts';
import type { WorkerDeclaration } from '../../kernel/queues/workers.ts';
import { countDesk } from '../read-deliveries.ts';
import type { StoreContext } from '../store-context.ts';
import { createAttempts } from './attempts.ts';
import { createCounterCommands } from './counter-commands.ts';
import { createDeliveriesTopic } from './deliveries-topic.ts';
import { createDeliveryRunner } from './delivery-runner.ts';
import { type DeliveryTiming, usualTiming } from './delivery-timing.ts';
import { createDesk } from './desk.ts';
import { createDeskRules } from './desk-rules.ts';
import { deskAllRestored, renewIncarnation } from './epochs.ts';
import { cancelExpired, followLicense } from './expiry.ts';
import { createGiftGuards } from './gift-guards.ts';
import { takeLateResult } from './late-results.ts';
import type { DeliveryJob } from './new-deliveries.ts';
import { createRoleDeliveries, isForGame } from './role-deliveries.ts';
import { tellNoServer } from './servers-gone.ts';
import { createSettleMarks } from './settle-marks.ts';
import { cancelServerless } from './shop-deliveries.ts';

/** Members woken by one sweep. */
const mostWoken = 500;

/** Counts by state are summed when read; this folds them into one row per state. */
const foldCounts = (db: Kysely<Tables>) =>
  sql`
    with folded as (delete from delivery_counts returning job_state, count)
    insert into delivery_counts select job_state, sum(count) from folded group by 1 having sum(count) <> 0`.execute(
    db,
  );

/** Delivers what was bought to the games. */
export type Deliveries = ReturnType<typeof createDeliveries>;

export const createDeliveries = (
  context: Pick<
    StoreContext,
    | 'db'
    | 'home'
    | 'jobs'
    | 'licenseHolds'
    | 'log'
    | 'now'
    | 'presence'
    | 'servers'
    | 'tasks'
    | 'timing'
    | 'ways'
  > & { readonly pauses: Pick<StoreContext['pauses'], 'isPaused'> },
) => {
  const { db, licenseHolds, log } = context;
  const timing: DeliveryTiming = { ...usualTiming, ...context.timing };
  /** Shared with the database, to detect that one of them was restored. */
  const incarnationFile = join(context.home, 'store-incarnation.json');
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
        if (isDatabaseUnavailable(error))
          log.debug({ err: error }, 'deliveries are waiting for the database');
        else log.error({ err: error }, 'could not process deliveries; the next sweep will retry');
      })
      .finally(() => work.delete(guarded));
    work.add(guarded);
  };

  const topic = createDeliveriesTopic({ countDesk: () => countDesk(db), log });
  const guards = createGiftGuards(context);
  const present = context.presence.openSessions;
  const attempts = createAttempts(context, {
    guards,
    timing,
    stopping: stopping.signal,
    onClaim() {
      hasSent = true;
      topic.changed();
    },
    onChange: topic.changed,
    onDesk: (deliveryId) => inBackground(Promise.resolve().then(() => rules.apply([deliveryId]))),
  });
  const mayRun = () => licenseHolds() && !context.pauses.isPaused(deliveryQueue);
  let knowsRestores = false;
  const counterCommands = createCounterCommands({
    ...context,
    mayRun: () => knowsRestores && mayRun(),
    stopping: stopping.signal,
    answerMs: timing.answerMs,
    onClaim() {
      hasSent = true;
    },
    onChange: topic.changed,
    tell: (error) => inBackground(Promise.reject(error)),
  });
  const runner = createDeliveryRunner(context, { attempts, mayRun, onWaiting: topic.changed, timing });
  /** Looks for work for these members. Their order has committed now, so the topic may announce it. */
  const wake = (memberIds: Iterable<string>): void => {
    topic.changed();
    runner.wake(memberIds);
  };
  const desk = createDesk(context, { guards, attempts, wake, onChange: topic.changed });
  const rules = createDeskRules(db, desk);
  const { markPauseMs } = timing;
  const marks = createSettleMarks({ ...context, guards, attempts, markPauseMs });

  /** The position of the round over all due members. */
  let turn = '0';

  /**
   * Wakes members with due deliveries, with deliveries in flight, and those who are online. Besides the longest due, a round
   * covers all due members: one whose first delivery blocks others stays due and would otherwise take every turn.
   */
  const wakeDue = async () => {
    const inTurn = await sql<{ member_id: string }>`
      select distinct member_id from deliveries
      where state in ('pending', 'waiting') and next_try_at <= now() and waits_for is distinct from 'player'
        and ${isForGame} and member_id > ${turn}
      order by member_id limit ${mostWoken}`.execute(db);
    turn = inTurn.rows.length < mostWoken ? '0' : (inTurn.rows.at(-1)?.member_id ?? '0');
    const due = await sql<{ member_id: string }>`
      select distinct coalesce(members.merged_into, members.id) as member_id from (
        (select member_id from deliveries
          where state in ('pending', 'waiting') and next_try_at <= now() and waits_for is distinct from 'player'
            and ${isForGame}
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

  /** Servers that came back and have not been asked for rollbacks yet. */
  const cameBack = new Set<string>();

  /** Asks games, which is slow, so rounds never overlap. */
  const settleOnce = async (): Promise<void> => {
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
  const settle = singleFlight((): Promise<void> => settleOnce().finally(topic.changed));

  const sweepOnce = async () => {
    const holds = licenseHolds();
    await followLicense(db, holds);
    if (hasSent) {
      // What is sent from here on counts for the next round.
      hasSent = false;
      await followRestores().catch((error: unknown) => {
        hasSent = true;
        throw error;
      });
    }
    if (!holds) return;
    // A part that fails or waits for a game does not stop the others.
    const parts = await Promise.allSettled([
      wakeDue(),
      cancelExpired(db),
      cancelServerless(db),
      counterCommands.sweep(),
      settle(),
      foldCounts(db),
    ]);
    for (const part of parts) if (part.status === 'rejected') throw part.reason;
  };
  /**
   * Expires deliveries, ends those of shops that no server can take, retries those that are due and finds those whose wake was
   * lost. Runs every 30 seconds.
   */
  const sweep = (): Promise<void> => sweepOnce().finally(topic.changed);

  const followRestores = async () => {
    const isRestored = await renewIncarnation(db, incarnationFile);
    if (isRestored)
      log.warn(
        'the database was restored or replaced; deliveries that may have been sent are not sent again',
      );
    const moved = await deskAllRestored(db);
    if (moved > 0)
      log.warn({ deliveries: moved }, 'deliveries of a restored database are waiting for a decision');
  };

  const takeLate = async (serverId: string, commandId: string, result: CommandResult): Promise<boolean> =>
    (await counterCommands.takeLate(serverId, commandId, result)) ||
    takeLateResult({ db, attempts }, serverId, commandId, result);

  const prepare = async () => {
    await followRestores();
    knowsRestores = true;
    await tellNoServer(db);
    timer = setInterval(() => inBackground(sweep()), timing.sweepMs).unref();
    inBackground(sweep());
  };

  return {
    db,
    /** Recovers deliveries in flight and starts the sweep. Needs the schema and the queues; safe to call twice. */
    prepare(): Promise<void> {
      preparing ??= prepare().catch((error: unknown) => {
        preparing = null;
        throw error;
      });
      return preparing;
    },
    wake,
    /** Announces that deliveries have changed. */
    changed: topic.changed,
    /** Resolves when no woken member has work left that can be done now, and no counter-command is under way. */
    async idle(): Promise<void> {
      await Promise.all([runner.idle(), counterCommands.idle()]);
    },
    worker: {
      queue: 'delivery-wakes',
      batchSize: 500,
      // The delivery row is authoritative: a job only wakes its member, and is then complete.
      handle: async (batch) => {
        const memberIds = batch.map(({ data }) => (data as Partial<DeliveryJob> | null)?.memberId);
        wake(new Set(memberIds.filter((memberId) => typeof memberId === 'string')));
      },
    } satisfies WorkerDeclaration,
    maintenance: [marks.forgetMarks],
    takeLate: (serverId: string, commandId: string, result: CommandResult): Promise<boolean> =>
      takeLate(serverId, commandId, result).finally(topic.changed),
    onPlayersPresent: (playerIds: readonly string[]): void => inBackground(wakePlayers(playerIds)),
    /** Servers were archived: deliveries that wait for a player may have no server left. */
    onServersGone: (): void => inBackground(tellNoServer(db).finally(topic.changed)),
    onServerBack(serverId: string): void {
      guards.forget(serverId);
      cameBack.add(serverId);
      inBackground(counterCommands.sweep());
      inBackground(Promise.allSettled([settle.underWay()]).then(settle));
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
    counterCommands,
    desk,
    rules,
    /** Deliveries that Discord gives, not a game. */
    roles: createRoleDeliveries(db, topic.changed),
    topic,
    sweep,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      topic[Symbol.dispose]();
      stopping.abort();
      await Promise.all([runner[Symbol.asyncDispose](), counterCommands[Symbol.asyncDispose]()]);
      await Promise.allSettled([...work]);
    },
  };
};
