import { type RawBuilder, sql } from 'kysely';
import { sessionInScope } from '../access/player-scope.ts';
import {
  inScope,
  newestOf,
  type SourceBounds,
  type Subject,
  type TimelineSource,
  toldById,
} from './timeline-source.ts';

const sessions =
  (at: RawBuilder<unknown>, where: RawBuilder<unknown>) => (subject: Subject, bounds: SourceBounds) =>
    newestOf(
      {
        table: sql`player_sessions`,
        owner: sql`player_id`,
        owners: subject.playerIds,
        ownerType: 'bigint',
        at,
        id: sql`id`,
        where: sql`${where} and ${inScope(subject.visits, sql`server_id`)}`,
      },
      bounds,
    );

interface VisitRow {
  readonly id: string;
  readonly server_id: string;
  readonly player_id: string;
}

export const joins: TimelineSource = {
  rank: 1,
  kind: 'visits',
  newest: sessions(sql`joined_at`, sql`true`),
  async tell(db, { visits }, ids) {
    const { rows } = await sql<VisitRow & { readonly is_first: boolean }>`
      select id, server_id, player_id, not exists (
          select from player_sessions as session
          where session.player_id = visit.player_id and (session.joined_at, session.id) < (visit.joined_at, visit.id)
            and ${sessionInScope(visits, 'session')}
        ) as is_first
      from player_sessions as visit where id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, ({ server_id, player_id, is_first }) => ({
      type: 'joined',
      serverId: server_id,
      playerId: player_id,
      isFirst: is_first,
    }));
  },
};

/** At the same moment, a player who left one server and joined another had left first. */
export const leaves: TimelineSource = {
  rank: 0,
  kind: 'visits',
  newest: sessions(sql`left_at`, sql`left_at is not null`),
  async tell(db, _subject, ids) {
    const { rows } = await sql<VisitRow & { readonly seconds: number }>`
      select id, server_id, player_id, greatest(0, floor(extract(epoch from left_at - joined_at)))::int as seconds
      from player_sessions where id = any (${ids}::bigint[]) and left_at is not null`.execute(db);
    return toldById(rows, ({ server_id, player_id, seconds }) => ({
      type: 'left',
      serverId: server_id,
      playerId: player_id,
      playedSeconds: seconds,
    }));
  },
};
