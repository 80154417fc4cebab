import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ConsoleEntry, HistoryFilter } from '#contracts/servers/console.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { boundsOf } from '../../kernel/logs/log-bounds.ts';
import { type LogSlice, readLogPage } from '../../kernel/logs/log-page.ts';
import { type ConsoleRow, toEntry } from './console-rows.ts';

export interface HistoryQuery extends HistoryFilter {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface HistoryPage {
  readonly rows: ConsoleEntry[];
  readonly nextCursor: string | null;
}

/** A page of what was given on the servers whose console the actor may see. @throws {Problem} INVALID_REQUEST for an unknown cursor */
export type ConsoleHistory = (query: HistoryQuery, actor: Actor) => Promise<HistoryPage | Refusal>;

export const createConsoleHistory =
  ({ db, retentionDays }: { readonly db: Kysely<Tables>; readonly retentionDays: number }): ConsoleHistory =>
  async ({ cursor, limit, ...filter }, actor) => {
    const { serverId } = filter;
    if (serverId !== undefined && !may(actor, 'console.read', serverId)) return refuse('FORBIDDEN');
    const conditions = conditionsOf(filter, visibleServers(actor));
    const read = async (slice: LogSlice): Promise<readonly RowOfGame[]> => {
      const { lower, upper } = boundsOf({}, retentionDays, slice);
      const order = slice.order === 'newest first' ? sql`at desc, id desc` : sql`at, id`;
      const bounds = [sql`(at, id) > (${lower.at}, ${lower.id})`, sql`(at, id) < (${upper.at}, ${upper.id})`];
      const { rows } = await sql<RowOfGame>`
        select console_commands.*, (select game from game_servers where game_servers.id = server_id) as game
          from console_commands where ${sql.join([...bounds, ...conditions], sql` and `)}
        order by ${order} limit ${slice.limit}`.execute(db);
      return rows;
    };
    const { rows, nextCursor } = await readLogPage({ page: 'first', limit, cursor }, read);
    return { rows: rows.map((row) => toEntry(row, row.game)), nextCursor };
  };

type RowOfGame = ConsoleRow & { readonly game: GameId };

/** Null: all. */
const visibleServers = (actor: Actor): string[] | null =>
  may(actor, 'console.read')
    ? null
    : [...actor.serverPermissions.keys()].filter((id) => may(actor, 'console.read', id));

const conditionsOf = (
  { serverId, outcome, actor, text }: HistoryFilter,
  visible: readonly string[] | null,
): RawBuilder<unknown>[] => {
  const conditions: RawBuilder<unknown>[] = [];
  if (serverId !== undefined) conditions.push(sql`server_id = ${serverId}`);
  else if (visible) conditions.push(sql`server_id = any (${visible})`);
  if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`);
  if (actor !== undefined)
    conditions.push(actor.includes(':') ? sql`actor = ${actor}` : sql`split_part(actor, ':', 1) = ${actor}`);
  if (text !== undefined) conditions.push(sql`command ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`);
  return conditions;
};
