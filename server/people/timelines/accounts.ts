import { type RawBuilder, sql } from 'kysely';
import {
  newestOf,
  type SourceBounds,
  type Subject,
  type TimelineSource,
  toldBy,
  toldById,
} from './timeline-source.ts';

const mergesBy =
  (at: RawBuilder<unknown>, where: RawBuilder<unknown>) =>
  ({ memberId }: Subject, bounds: SourceBounds) =>
    memberId === null
      ? null
      : newestOf(
          {
            table: sql`member_merges`,
            owner: sql`kept_id`,
            owners: [memberId],
            ownerType: 'bigint',
            at,
            id: sql`id`,
            where,
          },
          bounds,
        );

/** When a player turns out to be a known one, a member without anything is merged: there is nothing to report. */
const saysSomething = sql`(
  discord_id is not null or points > 0 or exists (select from players where players.id = any (player_ids)))`;

const namesOfMerge = sql`array(select name from players where players.id = any (player_ids) order by name)`;

export const merges: TimelineSource = {
  rank: 9,
  kind: 'accounts',
  newest: mergesBy(sql`at`, saysSomething),
  async tell(db, _subject, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly player_names: string[];
      readonly has_discord: boolean;
      readonly points: string;
      readonly actor: string;
      readonly actor_name: string | null;
    }>`
      select id, ${namesOfMerge} as player_names, discord_id is not null as has_discord, points, actor, actor_name
      from member_merges where id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, (row) => ({
      type: 'merged',
      mergeId: row.id,
      playerNames: row.player_names,
      hasDiscord: row.has_discord,
      points: Number(row.points),
      by: toldBy(row),
    }));
  },
};

export const undoneMerges: TimelineSource = {
  rank: 10,
  kind: 'accounts',
  newest: mergesBy(sql`undone_at`, sql`undone_at is not null and ${saysSomething}`),
  async tell(db, _subject, ids) {
    const { rows } = await sql<{ readonly id: string; readonly player_names: string[] }>`
      select id, ${namesOfMerge} as player_names from member_merges where id = any (${ids}::bigint[])`.execute(
      db,
    );
    return toldById(rows, ({ id, player_names }) => ({
      type: 'merge-undone',
      mergeId: id,
      playerNames: player_names,
    }));
  },
};

/** The Discord server stores one join and one leave per account; their ids are the member's id. */
const discordBy =
  (column: 'joined_at' | 'left_at') =>
  ({ memberId, discordId }: Subject, bounds: SourceBounds) =>
    memberId === null || discordId === null
      ? null
      : newestOf(
          {
            table: sql`discord_guild_members`,
            owner: sql`discord_id`,
            owners: [discordId],
            ownerType: 'text',
            at: sql.ref(column),
            id: sql`${memberId}::bigint`,
          },
          bounds,
        );

const tellDiscord =
  (type: 'discord-joined' | 'discord-left'): TimelineSource['tell'] =>
  async (db, { memberId, discordId }) => {
    const rows = await db
      .selectFrom('discord_guild_members')
      .select('name')
      .where('discord_id', '=', discordId ?? '')
      .execute();
    return new Map(rows.map(({ name }) => [memberId ?? '', { type, name }]));
  };

export const discordJoins: TimelineSource = {
  rank: 11,
  kind: 'accounts',
  newest: discordBy('joined_at'),
  tell: tellDiscord('discord-joined'),
};

export const discordLeaves: TimelineSource = {
  rank: 12,
  kind: 'accounts',
  newest: discordBy('left_at'),
  tell: tellDiscord('discord-left'),
};
