import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import { ledgerSum } from '../../store/points/store-accounts.ts';
import { mergeMembers } from '../members/merging.ts';
import { replacePlayer } from '../members/replace-player.ts';
import { insertDelivery } from '../members/testing/members-of-a-test.ts';
import { identifyPlayer } from './identify-player.ts';
import { upsertPlayers } from './player-rows.ts';
import type { Presence } from './presence.ts';
import { listed, type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

let bench: PresenceOfATest;
let presence: Presence;

beforeAll(async () => {
  bench = await presenceOfATest();
  presence = await bench.start();
});
afterAll(async () => {
  expect(await ledgerSum(bench.database.db)).toBe(0);
  await bench[Symbol.asyncDispose]();
});

const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await bench.database.pool.query(text, [...values])).rows as Row[];

/** Reports a list of one or none and waits until it is written. @returns the player and its member */
const list = async (server: string, name?: string, platformId: string | null = null) => {
  bench.clock.move(1);
  presence.report(server, 'direct', name === undefined ? [] : [listed(name, platformId)]);
  return eventually(async () => {
    const { asOf, players } = presence.read(server);
    expect(asOf).toBe(bench.clock.now().toISOString());
    const id = players?.[0]?.playerId ?? '0';
    const [row] = await query<{ member_id: string }>('select member_id from players where id = $1', [id]);
    return { playerId: id, memberId: row?.member_id ?? '' };
  });
};
const grant = (member: string, points: number) =>
  query(
    `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
     values ('grant', 'issued', 'wallet', $1, $2, 'test')`,
    [member, points],
  );
const stateOf = async (member: string) => {
  const [row] = await query<{ merged_into: string | null; balance: string }>(
    'select merged_into, balance from members join wallets on member_id = id where id = $1',
    [member],
  );
  return { mergedInto: row?.merged_into ?? null, balance: Number(row?.balance) };
};

// Guarantee: a player whose id comes later, and is new, stays the same member with the same wallet.
test('a player who is identified in place', async () => {
  const server = await bench.server();
  await list(server);
  const before = await list(server, 'Ann');
  await grant(before.memberId, 7);
  expect(await list(server, 'Ann', 'minecraft:ann')).toEqual(before);
  expect(await stateOf(before.memberId)).toEqual({ mergedInto: null, balance: 7 });
});

// Guarantee: when the known row replaces the other, points, deliveries, survivor number and whitelist entries move along;
// the link code is deleted.
test('a player who is replaced', async () => {
  const server = await bench.server();
  const known = await list(server, 'Bob', 'minecraft:bob');
  await grant(known.memberId, 2);
  await list(server);
  const named = await list(server, 'Bob');
  expect(named.memberId).not.toBe(known.memberId);
  await grant(named.memberId, 5);
  await query(
    `insert into member_link_codes (digest, member_id, expires_at) values ('x', $1, now() + interval '1 hour')`,
    [named.memberId],
  );
  await query(
    `insert into survivor_numbers (player_id, server_id, number, source) values ($1, $2, '12', 'staff')`,
    [named.playerId, server],
  );
  await query(
    `insert into discord_role_rules (id, kind, role_id, role_name, server_ids)
     values ('guests', 'whitelist', '3', 'Guests', array[$1])`,
    [server],
  );
  await query(
    `insert into discord_whitelist_entries (server_id, player_id, rule_id, state) values ($1, $2, 'guests', 'made')`,
    [server, named.playerId],
  );
  const deliveries = [
    await insertDelivery(query, named.memberId, 'sending'),
    await insertDelivery(query, named.memberId, 'delivered'),
  ];
  await query('update deliveries set player_id = $1', [named.playerId]);
  expect(await list(server, 'Bob', 'minecraft:bob')).toEqual(known);
  expect(await query('select player_id, state from discord_whitelist_entries')).toEqual([
    { player_id: known.playerId, state: 'made' },
  ]);
  expect(await query('select id, player_id from deliveries order by number')).toEqual([
    { id: deliveries[0], player_id: known.playerId },
    // What has ended keeps what was true then.
    { id: deliveries[1], player_id: named.playerId },
  ]);
  expect(await stateOf(named.memberId)).toEqual({ mergedInto: known.memberId, balance: 0 });
  expect(await stateOf(known.memberId)).toEqual({ mergedInto: null, balance: 7 });
  expect(await query('select from member_link_codes')).toEqual([]);
  expect(await query('select player_id, number from survivor_numbers')).toEqual([
    { player_id: known.playerId, number: '12' },
  ]);
  expect(await query(`select kind, amount::int, actor from ledger where kind = 'merge'`)).toEqual([
    { kind: 'merge', amount: 5, actor: 'castellan' },
  ]);
});

// Guarantee: a name with a history goes to no one who comes with an id: its member and wallet stay.
test('a name that was there before', async () => {
  const server = await bench.server();
  const known = await list(server, 'Cleo', 'minecraft:cleo');
  await list(server);
  const named = await list(server, 'Cleo');
  await list(server);
  expect(await list(server, 'Cleo')).toEqual(named);
  await grant(named.memberId, 5);
  expect(await list(server, 'Cleo', 'minecraft:cleo')).toEqual(known);
  expect(await stateOf(named.memberId)).toEqual({ mergedInto: null, balance: 5 });
  expect(await stateOf(known.memberId)).toEqual({ mergedInto: null, balance: 0 });
});

// Guarantee: a member with other players keeps its wallet for them; two Discord accounts never become one.
test.each(['further players', 'two Discord accounts'])(
  'a replaced player of a member with %s',
  async (case_) => {
    const server = await bench.server();
    const name = case_ === 'further players' ? 'Dan' : 'Eve';
    const known = await list(server, name, `minecraft:${name}`);
    await list(server);
    const named = await list(server, name);
    await grant(named.memberId, 5);
    if (case_ === 'further players')
      await query(
        `insert into players (identity, game, name, name_key, member_id) values ('steam:dan', 'minecraft', 'Dan', 'dan', $1)`,
        [named.memberId],
      );
    else
      for (const { memberId } of [known, named])
        await query('update members set discord_id = $1 where id = $1::bigint', [memberId]);
    expect(await list(server, name, `minecraft:${name}`)).toEqual(known);
    expect(await query('select from players where id = $1', [named.playerId])).toEqual([]);
    expect(await stateOf(named.memberId)).toEqual({ mergedInto: null, balance: 5 });
  },
);

// Guarantee: a player who is erased while online joins as a new player and a new member; the server's list continues.
test('a player who is erased while online', async () => {
  const server = await bench.server();
  const before = await list(server, 'Finn', 'steam:finn');
  await query('delete from players where id = $1', [before.playerId]);
  presence.forgetPlayers([before.playerId]);
  const after = await eventually(async () => {
    const found = await list(server, 'Finn', 'steam:finn');
    expect(found.memberId).not.toBe('');
    return found;
  });
  expect(after.playerId).not.toBe(before.playerId);
  expect(after.memberId).not.toBe(before.memberId);
  expect(await bench.sessions(server)).toHaveLength(1);
});

// Guarantee: when many players are identified while others merge their members, no point is lost and no caller meets a deadlock.
test('players that are identified beside merges', async () => {
  const { db } = bench.database;
  const server = await bench.server();
  const at = new Date();
  const names = Array.from({ length: 40 }, (_, index) => `Many ${String(index).padStart(2, '0')}`);
  const idOf = (name: string) => `minecraft:${name.replace(' ', '-')}`;
  const seen = (parsePlatformId: (name: string) => string | null) =>
    db.transaction().execute((trx) =>
      upsertPlayers(
        trx,
        'minecraft',
        names.map((name) => ({ name, platformId: parsePlatformId(name), from: at, until: at })),
      ),
    );
  const known = [...(await seen(idOf)).values()];
  const named = [...(await seen(() => null)).values()];
  const members = await query<{ id: string }>('select member_id as id from players where id = any ($1)', [
    [...known, ...named],
  ]);
  for (const { id } of members) await grant(id, 10);
  const sessions = await query<{ id: string }>(
    `insert into player_sessions (player_id, server_id, handle)
     select id, $2, '' from unnest($1::bigint[]) as given (id) returning id`,
    [named, server],
  );
  const work = names.map((name, index) =>
    retryDeadlocks(db, (trx) =>
      identifyPlayer(
        trx,
        server,
        'minecraft',
        {
          sessionId: sessions[index]?.id ?? '',
          playerId: named[index] ?? '',
          name,
          platformId: idOf(name),
          from: at,
          until: at,
        },
        (inTrx, players) => replacePlayer(inTrx, players),
      ),
    ),
  );
  const merges = Array.from({ length: 60 }, (_, index) => {
    const keptId = members[(index * 7) % members.length]?.id ?? '';
    const mergedId = members[(index * 11 + 3) % members.length]?.id ?? '';
    return retryDeadlocks(db, (trx) =>
      mergeMembers(trx, { keptId, mergedId }, { actor: 'test', actorName: null }),
    );
  });
  expect(await Promise.all(work)).toEqual(known);
  await Promise.all(merges);
  expect(await query('select from players where id = any ($1)', [named])).toEqual([]);
  const [sums] = await query(
    `select sum(balance)::int as points,
       coalesce(sum(balance) filter (where merged_into is not null), 0)::int as stranded
     from members join wallets on member_id = id where id = any ($1)`,
    [members.map(({ id }) => id)],
  );
  expect(sums).toEqual({ points: 800, stranded: 0 });
});
