import { type Kysely, sql } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import { aheadToleranceMs } from '#runtime/is-ahead.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { identityOf, playerNameKey, type SeenPlayer } from './seen-player.ts';

type Trx = Kysely<Tables>;

/** When a player was seen under this name and id. */
export interface Sighting extends Omit<SeenPlayer, 'handle'> {
  readonly from: Date;
  readonly until: Date;
}

/** How many names of one player are kept, newest first. */
const mostNames = 100;

/** Creates or finds the players. @returns their ids, by identity */
export const upsertPlayers = async (
  trx: Trx,
  game: GameId,
  sightings: readonly Sighting[],
): Promise<ReadonlyMap<string, string>> => {
  const people = combine(sightings, (sighting) => identityOf(game, sighting));
  if (people.size === 0) return new Map();
  const all = [...people.values()];
  // In a fixed order, so that servers writing the same players cannot deadlock.
  const { rows } = await sql<{ id: string; identity: string }>`
    insert into players (identity, platform_id, game, name, name_key, first_seen_at, last_seen_at)
    select identity, platform_id, ${game}, name, name_key, seen_from, seen_until
    from unnest(
      ${[...people.keys()]}::text[], ${all.map(({ platformId }) => platformId)}::text[],
      ${all.map(({ name }) => name)}::text[], ${all.map(({ name }) => playerNameKey(name))}::text[],
      ${all.map(({ from }) => from)}::timestamptz[], ${all.map(({ until }) => until)}::timestamptz[]
    ) as seen (identity, platform_id, name, name_key, seen_from, seen_until)
    order by identity
    on conflict (identity) do update set
      name = case when excluded.last_seen_at >= ${lastSeen('players')} then excluded.name else players.name end,
      name_key =
        case when excluded.last_seen_at >= ${lastSeen('players')} then excluded.name_key else players.name_key end,
      first_seen_at = least(players.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(${lastSeen('players')}, excluded.last_seen_at)
    returning id, identity`.execute(trx);
  const ids = new Map(rows.map(({ id, identity }) => [identity, id]));
  await upsertNames(
    trx,
    sightings.map((sighting) => ({ ...sighting, playerId: ids.get(identityOf(game, sighting)) ?? '' })),
  );
  return ids;
};

/** Updates the names of players. */
export const renamePlayers = async (
  trx: Trx,
  renamed: readonly (Sighting & { readonly playerId: string })[],
): Promise<void> => {
  for (const { playerId, name, until } of renamed)
    await trx
      .updateTable('players')
      .set({
        name,
        name_key: playerNameKey(name),
        last_seen_at: sql<Date>`greatest(${lastSeen('players')}, ${until})`,
      })
      .where('id', '=', playerId)
      .execute();
  await upsertNames(trx, renamed);
};

/** A time that lies ahead was stored by a clock that was ahead: a later sighting is the later one. */
const lastSeen = (table: 'players' | 'player_names') => {
  const at = sql.ref(`${table}.last_seen_at`);
  return sql<Date>`case when ${at} > now() + make_interval(secs => ${aheadToleranceMs / 1000}) then '-infinity' else ${at} end`;
};

const upsertNames = async (
  trx: Trx,
  sightings: readonly (Sighting & { readonly playerId: string })[],
): Promise<void> => {
  const names = [...combine(sightings, ({ playerId, name }) => `${playerId}:${name}`).values()];
  if (names.length === 0) return;
  await sql`
    insert into player_names (player_id, name, name_key, first_seen_at, last_seen_at)
    select player_id, name, name_key, seen_from, seen_until
    from unnest(
      ${names.map(({ playerId }) => playerId)}::bigint[], ${names.map(({ name }) => name)}::text[],
      ${names.map(({ name }) => playerNameKey(name))}::text[],
      ${names.map(({ from }) => from)}::timestamptz[], ${names.map(({ until }) => until)}::timestamptz[]
    ) as seen (player_id, name, name_key, seen_from, seen_until)
    order by player_id, name
    on conflict (player_id, name) do update set
      first_seen_at = least(player_names.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(${lastSeen('player_names')}, excluded.last_seen_at)`.execute(trx);
  await dropOldNames(
    trx,
    names.map(({ playerId }) => playerId),
  );
};

/** A player with a new name each time must not fill the table. */
const dropOldNames = async (trx: Trx, playerIds: readonly string[]): Promise<void> => {
  await sql`
    delete from player_names using (
      select player_id, name, row_number() over (
        partition by player_id order by last_seen_at desc, first_seen_at desc
      ) as place
      from player_names where player_id = any (${playerIds}::bigint[])
    ) as ranked
    where ranked.place > ${mostNames}
      and player_names.player_id = ranked.player_id and player_names.name = ranked.name`.execute(trx);
};

const combine = <Seen extends Sighting>(
  sightings: readonly Seen[],
  keyOf: (seen: Seen) => string,
): Map<string, Seen> => {
  const found = new Map<string, Seen>();
  for (const sighting of sightings) {
    const known = found.get(keyOf(sighting));
    const newest = known && known.until > sighting.until ? known : sighting;
    const from = known && known.from < sighting.from ? known.from : sighting.from;
    found.set(keyOf(sighting), { ...newest, from });
  }
  return found;
};
