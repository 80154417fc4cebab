import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { SeasonUndo, undoHindrances } from '#contracts/store/seasons.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { StoreContext } from '../store-context.ts';
import { lockLimited, restoreLimits } from './reset-limits.ts';
import { giveBackPoints } from './take-points.ts';

type Why = (typeof undoHindrances)[number];
const mostNamed = 50;

/** Members who were given or lost something through a season, as they are today. */
const touched = (seasonId: string) => sql`
  select castellan_member_today(member_id) as id, min(seasons.created_at) as since,
         array_agg(season_steps.order_id) filter (where season_steps.order_id is not null) as order_ids
  from season_steps join seasons on seasons.id = season_steps.season_id
  where season_id = ${seasonId} and season_steps.state = 'done'
    and (kind = 'regrant' or kind = 'balance' and points > 0)
  group by 1`;

/** The only open deliveries that `castellan_cancel_delivery` accepts: others may have been sent before the database was restored. */
const isNeverSent = sql`(deliveries.epoch >= (select epoch from store_state) and not exists (
  select from delivery_attempts where delivery_id = deliveries.id and ended_at is null))`;

/** Members who have spent points since, have received something of the season, or are erased. */
const readHindrances = async (
  db: Kysely<Tables>,
  seasonId: string,
): Promise<readonly { readonly memberId: string; readonly why: Why }[]> => {
  const { rows } = await sql<{ member_id: string; why: Why | null }>`
    select touched.id as member_id, case
      when members.erased_at is not null then 'erased'
      when exists (
        select from deliveries
        where deliveries.order_id = any (touched.order_ids) and deliveries.refunded_at is null
          and (deliveries.state in ('delivered', 'sending', 'unknown')
            or deliveries.state in ('pending', 'waiting') and not ${isNeverSent})) then 'received'
      when exists (
        select from ledger
        where ledger.from_member = any (array(
            select id from members as own where own.id = touched.id or own.merged_into = touched.id))
          and ledger.kind in ('purchase', 'charge', 'transfer') and ledger.at >= touched.since) then 'spent'
      end as why
    from (${touched(seasonId)}) as touched join members on members.id = touched.id
    order by touched.id`.execute(db);
  return rows.flatMap(({ member_id, why }) => (why === null ? [] : [{ memberId: member_id, why }]));
};

const readObstacle = async (db: Kysely<Tables>, id: string): Promise<SeasonUndo['obstacle'] | 'unknown'> => {
  const { rows } = await sql<{ state: string; has_later: boolean }>`
    select season.state, exists (
      select from seasons as later
      where later.number > season.number and later.game = season.game and later.state <> 'undone'
        and (later.scope_server_ids is null or season.scope_server_ids is null
          or later.scope_server_ids && season.scope_server_ids)) as has_later
    from seasons as season where season.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return 'unknown';
  if (row.state !== 'done') return 'not-done';
  return row.has_later ? 'later-season' : null;
};

/** Whether a season can be undone now, and which members prevent it. */
export const previewUndo = async (
  { db, memberNames }: Pick<StoreContext, 'db' | 'memberNames'>,
  id: string,
): Promise<SeasonUndo | Refusal> => {
  const obstacle = await readObstacle(db, id);
  if (obstacle === 'unknown') return refuse('NOT_FOUND');
  const hindrances = await readHindrances(db, id);
  const named = hindrances.slice(0, mostNamed);
  const names = await memberNames(named.map(({ memberId }) => memberId));
  const { rows } = await sql<{ members: string; pieces: string; points: string }>`
    select count(distinct member_id) filter (where kind = 'regrant' or points > 0) as members,
           coalesce(sum(quantity), 0) as pieces, coalesce(sum(points), 0) as points
    from season_steps where season_id = ${id} and state = 'done'`.execute(db);
  return {
    isPossible: obstacle === null && hindrances.length === 0,
    obstacle,
    members: Number(rows[0]?.members ?? 0),
    pieces: Number(rows[0]?.pieces ?? 0),
    points: Number(rows[0]?.points ?? 0),
    hindered: hindrances.length,
    hindrances: named.map(({ memberId, why }) => ({
      memberId,
      memberName: names.get(memberId) ?? memberId,
      why,
    })),
  };
};

const obstacleTexts = {
  'not-done': reasons['season-not-done'],
  'later-season': reasons['season-later'],
} as const;

const mostCancelled = 500;

/** Locks what a season has ordered, so that none of it is sent any more. @returns the deliveries to cancel */
const lockOrdered = async (trx: Kysely<Tables>, seasonId: string): Promise<readonly string[]> => {
  const ordered = sql`(
    select order_id from season_steps where season_id = ${seasonId} and state = 'done' and order_id is not null)`;
  await sql`select from orders where id in ${ordered} order by id for update`.execute(trx);
  const { rows } = await sql<{ id: string; may_go: boolean }>`
    select id, state in ('pending', 'waiting') or state = 'failed' and refunded_at is null as may_go from deliveries
    where order_id in ${ordered} order by id for update`.execute(trx);
  return rows.filter(({ may_go }) => may_go).map(({ id }) => id);
};

const cancelDeliveries = async (
  trx: Kysely<Tables>,
  ids: readonly string[],
  { actor }: AuditContext,
): Promise<void> => {
  for (let from = 0; from < ids.length; from += mostCancelled)
    await sql`
      select castellan_cancel_delivery(id, ${reasons['refunded-with-order']}, ${actorReference(actor)}, ${actor.name})
      from unnest(${ids.slice(from, from + mostCancelled)}::uuid[]) as id`.execute(trx);
};

/**
 * Gives all points back, restores the limits and cancels what the season has ordered, in one transaction or not at all. The
 * orders are refunded afterwards, step by step.
 */
export const undoSeason = (db: Kysely<Tables>, id: string, by: AuditContext): Promise<Refusal | null> =>
  retryDeadlocks(db, async (trx) => {
    await sql`lock table seasons in share row exclusive mode`.execute(trx);
    const obstacle = await readObstacle(trx, id);
    if (obstacle === 'unknown') return refuse('NOT_FOUND');
    if (obstacle !== null) return refuse('CONFLICT', obstacleTexts[obstacle]);
    const busy = await trx
      .selectFrom('seasons')
      .select('name')
      .where('state', 'in', ['running', 'undoing'])
      .executeTakeFirst();
    if (busy) return refuse('CONFLICT', reasons['season-busy'](busy.name));
    // In the order used by all that lock several of them. From here on no one receives, and no one spends.
    await sql`select from members where id in (select id from (${touched(id)}) as touched) order by id for share`.execute(
      trx,
    );
    const open = await lockOrdered(trx, id);
    await lockLimited(trx, id);
    await sql`
      select from wallets where member_id in (select id from (${touched(id)}) as touched)
      order by member_id for update`.execute(trx);
    const hindrances = await readHindrances(trx, id);
    if (hindrances.length > 0) return refuse('CONFLICT', reasons['season-hindered'](hindrances.length));
    await giveBackPoints(trx, id);
    await restoreLimits(trx, id);
    await cancelDeliveries(trx, open, by);
    const actorName = by.actor.name;
    await trx
      .updateTable('seasons')
      .set({ state: 'undoing', undone_by: actorName })
      .where('id', '=', id)
      .execute();
    await recordAudit(trx, { ...by, action: 'seasons.undo', target: `season:${id}` });
    return null;
  });
