import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { FeedPosition } from '../../kernel/events/event-feed.ts';
import type { SaidLine } from './compose-post.ts';
import type { RelayRow } from './describe-relay.ts';

export interface WaitingLine extends SaidLine {
  readonly id: string;
  readonly writtenIn: string;
}

/** Per channel; beyond this the oldest are left out. */
export const mostWaiting = 200;

interface StoredLine {
  readonly id: string;
  readonly written_in: string;
  readonly at: Date;
  readonly server_id: string;
  readonly payload: { readonly playerId?: string | null; readonly name?: string; readonly text?: string };
}

/**
 * What was said on the servers of these relays after a place in the feed of events: the newest lines, and how many
 * before them, by server.
 */
export const readWaiting = async (
  db: Kysely<Tables>,
  place: { readonly written_in: string; readonly event_id: string },
  relays: readonly Pick<RelayRow, 'server_id' | 'starts_in'>[],
  horizon: FeedPosition,
): Promise<{
  readonly lines: readonly WaitingLine[];
  readonly leftOut: readonly (readonly [serverId: string, count: number])[];
}> => {
  const serverIds = relays.map(({ server_id }) => server_id);
  const starts = relays.map(({ starts_in }) => starts_in);
  const said = sql`
    event_logs
    where (written_in, id) > (${place.written_in}::xid8, ${place.event_id}::bigint)
      and written_in < ${String(horizon.writtenIn)}::xid8
      and kind = 'chat.message' and server_id = any (${serverIds}::text[])
      and exists (
        select from unnest(${serverIds}::text[], ${starts}::xid8[]) as relay (server_id, starts_in)
         where relay.server_id = event_logs.server_id and event_logs.written_in >= relay.starts_in)`;
  const { rows } = await sql<StoredLine>`
    select id, written_in, at, server_id, payload from ${said}
     order by written_in desc, id desc limit ${mostWaiting}`.execute(db);
  const lines = rows.reverse().map(
    ({ id, written_in, at, server_id, payload }): WaitingLine => ({
      id,
      writtenIn: written_in,
      at,
      serverId: server_id,
      playerId: payload.playerId ?? null,
      name: payload.name ?? '',
      text: payload.text ?? '',
    }),
  );
  const [oldest] = lines;
  if (!oldest || lines.length < mostWaiting) return { lines, leftOut: [] };
  const { rows: counts } = await sql<{ server_id: string; count: string }>`
    select server_id, count(*) as count from ${said}
       and (written_in, id) < (${oldest.writtenIn}::xid8, ${oldest.id}::bigint)
     group by server_id`.execute(db);
  return { lines, leftOut: counts.map(({ server_id, count }) => [server_id, Number(count)]) };
};

/** A database that was restored into a younger cluster knows transactions that are still in the future: they are over. */
export const forgetFuture = async (db: Kysely<Tables>): Promise<void> => {
  const end = sql`pg_snapshot_xmax(pg_current_snapshot())`;
  await sql`update discord_chat_lanes set written_in = ${end}, event_id = 0 where written_in > ${end}`.execute(
    db,
  );
  await sql`update discord_chat_relays set starts_in = ${end} where starts_in > ${end}`.execute(db);
};
