import { type Kysely, type RawBuilder, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { Member, MemberDetails, MemberGroup } from '#contracts/people/members.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { type PlayerScope, seenInGame, sessionInScope } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';

interface StoredMember {
  readonly id: string;
  readonly discord_id: string | null;
  readonly created_at: Date;
  readonly erased_at: Date | null;
  readonly version: number;
  readonly balance: string;
  readonly last_seen_at: Date | null;
  readonly players: Member['players'];
  /** Null: the account was never on the Discord server. */
  readonly discord_name: string | null;
  readonly discord_joined_at: Date | null;
  readonly discord_left_at: Date | null;
}

/** In characters. */
const longestText = 100;

/** Members that are neither merged nor erased, newest first. */
export const searchMembers = async (
  db: Kysely<Tables>,
  search: {
    readonly text: string | undefined;
    readonly group: MemberGroup | undefined;
    readonly game: GameId | undefined;
    /** On which servers a member must be now; undefined: anywhere or nowhere. */
    readonly onlineIn: PlayerScope | undefined;
    /** The last member of the previous page. */
    readonly beyondId: string | null;
    readonly limit: number;
  },
): Promise<readonly Member[]> => {
  const { text, group, game, onlineIn, beyondId, limit } = search;
  const { rows } = await sql<{ id: string }>`
    select id from members as member where merged_into is null and erased_at is null
      and ${group === undefined ? sql`true` : ofGroup[group]}
      and ${game === undefined ? sql`true` : sql`exists (select from players where member_id = member.id and ${seenInGame('players', game)})`}
      and ${onlineIn === undefined ? sql`true` : isOnlineIn(onlineIn, game)}
      and ${beyondId === null ? sql`true` : sql`id < ${beyondId}`}
      and ${text === undefined ? sql`true` : sql`id in (${membersCalled(text)})`}
    order by id desc limit ${limit}`.execute(db);
  return readMembers(
    db,
    rows.map(({ id }) => id),
  );
};

const isOnlineIn = (scope: PlayerScope, game: GameId | undefined): RawBuilder<unknown> => sql`
  exists (
    select from player_sessions as session
      join players on players.id = session.player_id join game_servers on game_servers.id = session.server_id
    where players.member_id = member.id and session.left_at is null and ${sessionInScope(scope, 'session')}
      and ${game === undefined ? sql`true` : sql`game_servers.game = ${game}`})`;

const hasPlayer = sql`exists (select from players where member_id = member.id)`;
const hasDiscord = sql`discord_id is not null`;
const inDiscord = (isThere: RawBuilder<unknown>) => sql`
  ${hasDiscord} and exists (
    select from discord_guild_members as listed where listed.discord_id = member.discord_id and ${isThere})`;
const ofGroup: Readonly<Record<MemberGroup, RawBuilder<unknown>>> = {
  'with-player': hasPlayer,
  'in-discord': inDiscord(sql`left_at is null`),
  linked: sql`${hasDiscord} and ${hasPlayer}`,
  'without-player': sql`${hasDiscord} and not ${hasPlayer}`,
  'without-discord': sql`discord_id is null and ${hasPlayer}`,
  'left-discord': inDiscord(sql`left_at is not null`),
};

/**
 * Matches part of any name a player has had, part of the Discord name, a whole platform id with or without its prefix, or a
 * Discord id.
 */
const membersCalled = (text: string): RawBuilder<unknown> => {
  const sound = storableText(text, longestText);
  const id = sound.toLowerCase();
  const key = nameKey(sound);
  const pattern = `%${key.replace(/[\\%_]/g, '\\$&')}%`;
  const isNamed = key === '' ? sql`false` : sql`name_key like ${pattern}`;
  return sql`
    select member_id from players
    where lower(platform_id) = ${id} or lower(split_part(platform_id, ':', 2)) = ${id}
    union all
    select member_id from players where id in (select player_id from player_names where ${isNamed})
    union all
    select id from members where discord_id = ${sound}
    union all
    select id from members
    where discord_id in (select discord_id from discord_guild_members where ${isNamed})`;
};

/** The existing members among these ids, newest first. */
const readMembers = async (db: Kysely<Tables>, ids: readonly string[]): Promise<readonly Member[]> => {
  const { rows } = await sql<StoredMember>`
    select member.id, member.discord_id, member.created_at, member.erased_at, member.version, wallet.balance,
      listed.name as discord_name, listed.joined_at as discord_joined_at, listed.left_at as discord_left_at,
      max(player.last_seen_at) as last_seen_at,
      coalesce(
        json_agg(
          json_build_object(
            'id', player.id::text, 'name', player.name, 'platformId', player.platform_id, 'game', player.game
          ) order by player.last_seen_at desc, player.id desc
        ) filter (where player.id is not null),
        '[]'
      ) as players
    from members as member join wallets as wallet on wallet.member_id = member.id
      left join players as player on player.member_id = member.id
      left join discord_guild_members as listed on listed.discord_id = member.discord_id
    where member.id = any (${ids}::bigint[])
    group by member.id, wallet.balance, listed.discord_id order by member.id desc`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    name: row.players[0]?.name ?? row.discord_name ?? '',
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    discordId: row.discord_id,
    discord:
      row.discord_name === null
        ? null
        : {
            name: row.discord_name,
            joinedAt: row.discord_joined_at?.toISOString() ?? null,
            leftAt: row.discord_left_at?.toISOString() ?? null,
          },
    balance: Number(row.balance),
    erasedAt: row.erased_at?.toISOString() ?? null,
    version: row.version,
    players: row.players,
  }));
};

/** How many merges are shown, newest first. */
const mostMerges = 100;

/**
 * Follows merges; null if the member does not exist.
 * @param scope on which servers the reader may see them
 */
export const readMember = async (
  db: Kysely<Tables>,
  id: string,
  scope: PlayerScope,
): Promise<MemberDetails | null> => {
  const { rows } = await sql<{ id: string | null }>`select castellan_member_today(${id}) as id`.execute(db);
  const [member] = rows[0]?.id ? await readMembers(db, [rows[0].id]) : [];
  if (!member) return null;
  const [open, merges] = await Promise.all([
    readOpenSessions(
      db,
      member.players.map((player) => player.id),
      scope,
    ),
    readMerges(db, member.id),
  ]);
  const players = member.players.map((player) => ({ ...player, onlineOn: open.get(player.id) ?? null }));
  return { ...member, players, merges };
};

/** @returns the server of each player's newest open session */
const readOpenSessions = async (
  db: Kysely<Tables>,
  playerIds: readonly string[],
  scope: PlayerScope,
): Promise<ReadonlyMap<string, string>> => {
  if (playerIds.length === 0 || scope?.length === 0) return new Map();
  const { rows } = await sql<{ player_id: string; server_id: string }>`
    select distinct on (player_id) player_id::text, server_id from player_sessions as session
    where player_id = any (${playerIds}::bigint[]) and left_at is null and ${sessionInScope(scope, 'session')}
    order by player_id, joined_at desc`.execute(db);
  return new Map(rows.map(({ player_id, server_id }) => [player_id, server_id]));
};

const readMerges = async (db: Kysely<Tables>, keptId: string): Promise<MemberDetails['merges']> => {
  const { rows } = await sql<{
    id: string;
    at: Date;
    merged_id: string;
    player_names: string[];
    points: string;
    points_returned: string | null;
    actor_name: string | null;
    undone_at: Date | null;
  }>`
    select id, at, merged_id, points, points_returned, actor_name, undone_at,
      array(select name from players where players.id = any (player_ids) order by name) as player_names
    from member_merges where kept_id = ${keptId} order by id desc limit ${mostMerges}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    mergedId: row.merged_id,
    playerNames: row.player_names,
    points: Number(row.points),
    pointsReturned: row.points_returned === null ? null : Number(row.points_returned),
    actorName: row.actor_name,
    undoneAt: row.undone_at?.toISOString() ?? null,
  }));
};
