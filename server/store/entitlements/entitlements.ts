import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { PlaceState } from '#contracts/store/entitlements.ts';
import type { Log } from '#runtime/log.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { usualAnswerMs } from '../../kernel/commands/place-sender.ts';
import { createRounds, logUntilStop, type Rounds } from '../../kernel/commands/rounds.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { addUp, lockGroup } from './add-up.ts';
import { createDailyKits, type DailyKitsOptions } from './daily-kits.ts';
import { type EndsReading, inspectEnds } from './inspect-ends.ts';
import { provenBy } from './proven-end.ts';
import { createEntitlementReading, type EntitlementReading } from './read-entitlements.ts';
import { createSendPlaces, type SendPlaces, type SendPlacesOptions } from './send-places.ts';

/** What a person decides. @returns the id of the entitlement */
interface DecideEntitlements {
  end(entitlementId: string, by: AuditContext): Promise<string | Refusal>;
  /** Sends the command for a place once more, or now instead of later. */
  retry(placeId: string, by: AuditContext): Promise<string | Refusal>;
  /** It was taken back, or given, by hand. */
  done(placeId: string, by: AuditContext): Promise<string | Refusal>;
}

const open: readonly PlaceState[] = ['taking', 'giving', 'unknown', 'given-up'];

const createDecideEntitlements = ({
  db,
  now,
  onChange,
}: {
  readonly db: Kysely<Tables>;
  readonly now: () => Date;
  readonly onChange: () => void;
}): DecideEntitlements => {
  const decidePlace =
    (action: 'retry' | 'done') =>
    async (placeId: string, by: AuditContext): Promise<string | Refusal> => {
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

  return {
    end: (entitlementId, by) =>
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
      }).finally(onChange),
    retry: decidePlace('retry'),
    done: decidePlace('done'),
  };
};

interface EntitlementsOptions
  extends Pick<SendPlacesOptions, 'db' | 'ways' | 'servers'>,
    Partial<Pick<SendPlacesOptions, 'answerMs'>> {
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
export interface Entitlements extends Omit<Rounds, 'silentMs'> {
  readonly takeLate: SendPlaces['takeLate'];
  readonly reading: EntitlementReading;
  /** The state of the ends, and whether they are processed. */
  inspect(): Promise<EndsReading>;
  readonly decide: DecideEntitlements;
}

/** Entitlements per statement. */
const groupsAtOnce = 200;

export const createEntitlements = (options: EntitlementsOptions): Entitlements => {
  const { db, ways, servers, licenseHolds, isPaused, log } = options;
  const clock = options.now ?? Date.now;
  const now = () => new Date(clock());
  const stopping = new AbortController();
  const mayRun = () => licenseHolds() && !isPaused() && !stopping.signal.aborted;
  const kits = createDailyKits({ ...options, now });
  const failure = 'could not process timed purchases';
  const tell = logUntilStop(stopping.signal, { log, what: 'timed purchases', failure });
  const sending = createSendPlaces({
    db,
    ways,
    servers,
    now,
    stopping: stopping.signal,
    mayRun,
    tell,
    answerMs: options.answerMs ?? usualAnswerMs,
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
      if (hasEnded) options.onEnded();
      if (changed.length < groupsAtOnce && due.length < groupsAtOnce) return;
    }
  };

  const { silentMs, ...rounds } = createRounds({
    async work(progress) {
      if (!mayRun()) return;
      await follow(progress);
      await sending.recover();
      await sending.sendDue();
      options.wakeDeliveries(await kits.give());
    },
    idle: sending.idle,
    stopping,
    clock,
    tell,
  });

  return {
    ...rounds,
    takeLate: sending.takeLate,
    reading: createEntitlementReading(db, now),
    inspect: async () => ({ silentMs: silentMs(), isPaused: isPaused(), ...(await inspectEnds(db, now())) }),
    decide: createDecideEntitlements({
      db,
      now,
      onChange() {
        rounds.wake();
        options.onEnded();
      },
    }),
  };
};
