import { sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { PlaceState } from '#contracts/store/entitlements.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { usualAnswerMs } from '../../kernel/commands/place-sender.ts';
import { createRounds, logUntilStop } from '../../kernel/commands/rounds.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { deliveryQueue } from '../../kernel/queues/queues.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { StoreContext } from '../store-context.ts';
import { addUp, lockGroup } from './add-up.ts';
import { giveKits } from './daily-kits.ts';
import { type EndsReading, inspectEnds } from './inspect-ends.ts';
import { provenBy } from './proven-end.ts';
import { createEntitlementReading } from './read-entitlements.ts';
import { createSendPlaces } from './send-places.ts';

const open: readonly PlaceState[] = ['taking', 'giving', 'unknown', 'given-up'];

/** With what people decide about timed purchases. */
interface DecidingContext extends Pick<StoreContext, 'db'> {
  readonly now: () => Date;
  readonly onChange: () => void;
}

/**
 * `retry` sends the command for a place once more, or now instead of later; `done`: it was taken back, or given, by hand.
 * @returns the id of the entitlement
 */
const decidePlace = async (
  { db, now, onChange }: DecidingContext,
  action: 'retry' | 'done',
  placeId: string,
  by: AuditContext,
): Promise<string | Refusal> => {
  const found = await db
    .selectFrom('entitlement_places')
    .select('entitlement_id')
    .where('id', '=', placeId)
    .executeTakeFirst();
  if (!found) return refuse('NOT_FOUND');
  return retryDeadlocks(db, async (trx) => {
    const group = await lockGroup(trx, found.entitlement_id);
    if (!group) return refuse('NOT_FOUND');
    const lasts = await addUp(trx, group, { now: now() });
    const place = await trx
      .selectFrom('entitlement_places')
      .selectAll()
      .where('id', '=', placeId)
      .executeTakeFirst();
    if (!place) return refuse('NOT_FOUND');
    if (place.is_sent || !open.includes(place.state))
      return refuse('DELIVERY_STATE', reasons['lasting-waits-for-nothing']);
    const next = {
      retry: { state: lasts ? 'giving' : 'taking', certainty: null },
      done: { state: lasts ? 'held' : 'taken', certainty: 'decided' },
    } as const;
    const at = now();
    await trx
      .updateTable('entitlement_places')
      .set({ ...next[action], changed_at: at, next_try_at: at, tries: 0, detail: null })
      .where('id', '=', placeId)
      .execute();
    await recordAudit(trx, {
      ...by,
      action: `entitlements.${action}`,
      target: `entitlement:${place.entitlement_id}`,
      before: { placeId, serverId: place.server_id, state: place.state },
      after: next[action],
    });
    return place.entitlement_id;
  }).finally(onChange);
};

/** @returns the id of the entitlement */
const endNow = (
  { db, now, onChange }: DecidingContext,
  entitlementId: string,
  by: AuditContext,
): Promise<string | Refusal> =>
  retryDeadlocks(db, async (trx) => {
    const group = await lockGroup(trx, entitlementId);
    if (!group) return refuse('NOT_FOUND');
    const at = now();
    if (!(await addUp(trx, group, { now: at }))) return refuse('DELIVERY_STATE', reasons['lasting-over']);
    await addUp(trx, { ...group, wasOver: false }, { now: at, endsNow: true });
    // A kit that was not fetched in time is cancelled, as at any other end.
    await sql`
      update deliveries set expires_at = ${at} where state in ('pending', 'waiting') and id in (
        select unnest(delivery_ids) from entitlement_days where entitlement_id = any (${group.ids}::bigint[]))`.execute(
      trx,
    );
    await recordAudit(trx, {
      ...by,
      action: 'entitlements.end',
      target: `entitlement:${entitlementId}`,
      after: { memberId: group.memberId, game: group.game, key: group.key },
    });
    return entitlementId;
  }).finally(onChange);

/** Entitlements per statement. */
const groupsAtOnce = 200;

/** What members have for a limited time: how long it lasts, and that its end takes it back. */
export type Entitlements = ReturnType<typeof createEntitlements>;

export const createEntitlements = (
  context: Pick<
    StoreContext,
    'db' | 'jobs' | 'licenseHolds' | 'log' | 'news' | 'now' | 'servers' | 'settings' | 'timing' | 'ways'
  > & {
    readonly pauses: Pick<StoreContext['pauses'], 'isPaused'>;
    readonly deliveries: Pick<Deliveries, 'wake'>;
  },
) => {
  const { db, news, licenseHolds, log } = context;
  const now = () => new Date(context.now());
  const stopping = new AbortController();
  const isPaused = () => context.pauses.isPaused(deliveryQueue);
  const mayRun = () => licenseHolds() && !isPaused() && !stopping.signal.aborted;
  const failure = 'could not process timed purchases';
  const tell = logUntilStop(stopping.signal, { log, what: 'timed purchases', failure });
  const sending = createSendPlaces({
    ...context,
    stopping: stopping.signal,
    mayRun,
    tell,
    answerMs: context.timing?.answerMs ?? usualAnswerMs,
  });

  /** @returns whether the entitlement has ended as a result */
  const addUpOne = (entitlementId: string): Promise<boolean> =>
    retryDeadlocks(db, async (trx) => {
      const group = await lockGroup(trx, entitlementId);
      return group !== null && !(await addUp(trx, group, { now: now() })) && !group.wasOver;
    });

  /** Grants that changed, then ends that are due; both may be many after a downtime. */
  const follow = async (progress: () => void): Promise<void> => {
    for (;;) {
      const changed = await db
        .selectFrom('entitlement_news')
        .select('entitlement_id as id')
        .distinct()
        .limit(groupsAtOnce)
        .execute();
      const due = await db
        .selectFrom('entitlements')
        .select('id')
        .where('ended_at', 'is', null)
        .where('ends_at', '<=', now())
        .where('ends_at', '<=', provenBy(now(), sql.ref('entitlements.id')))
        .orderBy('ends_at')
        .limit(groupsAtOnce)
        .execute();
      const ids = new Set([...changed, ...due].map(({ id }) => id));
      let hasEnded = false;
      for (const id of ids) {
        if (stopping.signal.aborted) return;
        if (await addUpOne(id)) hasEnded = true;
        progress();
      }
      if (hasEnded) news.emit('rolesEnded');
      if (changed.length < groupsAtOnce && due.length < groupsAtOnce) return;
    }
  };

  const { silentMs, ...rounds } = createRounds({
    async work(progress) {
      if (!mayRun()) return;
      await follow(progress);
      await sending.recover();
      await sending.sendDue();
      context.deliveries.wake(await giveKits(context));
    },
    idle: sending.idle,
    stopping,
    clock: context.now,
    tell,
  });

  const deciding: DecidingContext = {
    db,
    now,
    onChange() {
      rounds.wake();
      news.emit('rolesEnded');
    },
  };

  return {
    ...rounds,
    takeLate: sending.takeLate,
    reading: createEntitlementReading(db, now),
    /** The state of the ends, and whether they are processed. */
    inspect: async (): Promise<EndsReading> => ({
      silentMs: silentMs(),
      isPaused: isPaused(),
      ...(await inspectEnds(db, now())),
    }),
    decide: {
      end: (entitlementId: string, by: AuditContext) => endNow(deciding, entitlementId, by),
      retry: (placeId: string, by: AuditContext) => decidePlace(deciding, 'retry', placeId, by),
      done: (placeId: string, by: AuditContext) => decidePlace(deciding, 'done', placeId, by),
    },
  };
};
