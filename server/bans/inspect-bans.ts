import { type Kysely, sql } from 'kysely';
import type { ComponentHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import type { Tables } from '../database/tables.ts';

/** A game that is restarted, or refuses a few times, is back within this time. */
const overdueMs = 3_600_000;
/** Rounds come every five seconds. A round with many changes to follow reports its progress. */
const silentMs = 120_000;

/** Covers bans on servers in use. */
interface BansInspection {
  /** Players and servers whose ban, or whose unban, is due or under way. */
  readonly banning: number;
  readonly lifting: number;
  /** How many of these have waited for more than an hour. */
  readonly overdue: number;
  /** How many of the overdue ones the game refused last. */
  readonly refused: number;
  /** Names of servers with overdue ones. */
  readonly servers: readonly string[];
  /** How long the longest-waiting one has waited; null: none waits. */
  readonly oldestDueMs: number | null;
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

const mostNamed = 5;

const overdueInWords = ({ overdue, oldestDueMs, refused, servers }: BansReading): readonly string[] => {
  const hours = Math.floor((oldestDueMs ?? 0) / 3_600_000);
  const named = servers.slice(0, mostNamed).join(', ') + (servers.length > mostNamed ? ', …' : '');
  return [
    healthReasons['bans-overdue'](overdue),
    hours < 48 ? healthReasons['oldest-hours'](hours) : healthReasons['oldest-days'](Math.floor(hours / 24)),
    ...(servers.length > 0 ? [healthReasons['on-servers'](named)] : []),
    ...(refused > 0 ? [healthReasons['refused-by-game'](refused)] : []),
  ];
};

export const bansHealthOf = (reading: BansReading): ComponentHealth => {
  const { silentMs: silence, overdue } = reading;
  const words = [
    ...(silence === null ? [healthReasons['bans-not-brought']] : []),
    ...(silence !== null && silence > silentMs
      ? [healthReasons['bans-silent'](Math.round(silence / 1000))]
      : []),
    ...(overdue > 0 ? overdueInWords(reading) : []),
  ];
  return words.length > 0 ? { status: 'degraded', detail: words.join(' ') } : { status: 'ok', detail: null };
};
