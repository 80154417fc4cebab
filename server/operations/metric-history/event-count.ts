import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

interface EventCount {
  /** Null without a position to count from. */
  readonly events: number | null;
  /** To continue counting from. */
  readonly position: string;
}

/**
 * How many events were committed since a position of an earlier count. It counts by transactions, like the live stream,
 * so that each is counted once, whatever its time; the index answers it.
 */
export const countEvents = async (db: Kysely<Tables>, since: string | null): Promise<EventCount> => {
  const { rows } = await sql<{ events: number; position: string }>`
    with feed as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as horizon)
    select horizon::text as position,
           (select count(*)::int from event_logs
             where written_in >= ${since}::xid8 and written_in < (select horizon from feed)) as events
    from feed
  `.execute(db);
  const { events = 0, position = '0' } = rows[0] ?? {};
  return { events: since === null ? null : events, position };
};
