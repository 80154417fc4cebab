import { type Kysely, sql } from 'kysely';
import { type ComponentHealth, healthIn } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { describeLag, type Lag, overdueMs } from '../../kernel/commands/lag.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** Covers bans on servers in use. */
interface BansInspection extends Lag {
  /** Players and servers whose ban, or whose unban, is due or under way. */
  readonly banning: number;
  readonly lifting: number;
}

export interface BansReading extends BansInspection {
  /** Since the sender's last sign of life; null: it was never begun. */
  readonly silentMs: number | null;
}

export const inspectBans = async (db: Kysely<Tables>, now: Date): Promise<BansInspection> => {
  const isOverdue = sql`place.wanted_at < ${new Date(now.getTime() - overdueMs)}`;
  const { rows } = await sql<Omit<BansInspection, 'oldestDueMs'> & { readonly since: Date | null }>`
    select (count(*) filter (where place.wanted = 'banned'))::int as banning,
           (count(*) filter (where place.wanted = 'free'))::int as lifting,
           (count(*) filter (where ${isOverdue}))::int as overdue,
           (count(*) filter (where ${isOverdue} and place.is_refused))::int as refused,
           coalesce(array_agg(distinct server.name) filter (where ${isOverdue}), '{}') as servers,
           min(place.wanted_at) as since
      from (select server_id, wanted, wanted_at, is_refused from ban_places where not is_settled and not is_sent
            union all select server_id, wanted, wanted_at, is_refused from ban_places where is_sent and not is_settled) as place
      join game_servers as server on server.id = place.server_id and server.archived_at is null`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a count without a row');
  const { since, ...counts } = row;
  return { ...counts, oldestDueMs: since && Math.max(0, now.getTime() - since.getTime()) };
};

export const bansHealthOf = (reading: BansReading): ComponentHealth => {
  const words = describeLag(reading, {
    notBegun: healthReasons['bans-not-brought'],
    silent: healthReasons['bans-silent'],
    overdue: healthReasons['bans-overdue'],
  });
  return healthIn(words);
};
