import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { PlaceState } from '#contracts/store/entitlements.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { addUp, lockGroup } from './add-up.ts';

/** What a person decides. @returns the id of the entitlement */
export interface DecideEntitlements {
  end(entitlementId: string, by: AuditContext): Promise<string | Refusal>;
  /** Sends the command for a place once more, or now instead of later. */
  retry(placeId: string, by: AuditContext): Promise<string | Refusal>;
  /** It was taken back, or given, by hand. */
  done(placeId: string, by: AuditContext): Promise<string | Refusal>;
}

const open: readonly PlaceState[] = ['taking', 'giving', 'unknown', 'given-up'];

export const createDecideEntitlements = ({
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
