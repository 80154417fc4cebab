import { sql } from 'kysely';
import { newestOf, type TimelineSource, toldById } from './timeline-source.ts';

/** What a player said, as long as the event log keeps it. */
export const chat: TimelineSource = {
  rank: 2,
  kind: 'chat',
  newest: ({ seesChat, playerIds }, bounds) =>
    seesChat
      ? newestOf(
          {
            table: sql`event_logs`,
            owner: sql`payload ->> 'playerId'`,
            owners: playerIds,
            ownerType: 'text',
            at: sql`at`,
            id: sql`id`,
            where: sql`kind = 'chat.message'`,
          },
          bounds,
        )
      : null,
  async tell(db, { playerIds }, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly server_id: string | null;
      readonly player_id: string;
      readonly text: string;
    }>`
      select id, server_id, payload ->> 'playerId' as player_id, payload ->> 'text' as text from event_logs
      where kind = 'chat.message' and payload ->> 'playerId' = any (${playerIds}::text[])
        and id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, ({ server_id, player_id, text }) => ({
      type: 'said',
      serverId: server_id,
      playerId: player_id,
      text,
    }));
  },
};
