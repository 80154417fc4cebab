import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SqlSession, sqlSession } from '../../kernel/testing/sql.ts';
import { readPlayers } from './read-players.ts';
import { type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

let bench: PresenceOfATest;
let sql: SqlSession;
let servers: string[];

// 2,500 players named crowd, and 40 or more sessions of others on each server; times are coarse, so that many are equal.
beforeAll(async () => {
  bench = await presenceOfATest();
  sql = await sqlSession(bench.database.url);
  servers = [await bench.server(), await bench.server(), await bench.server(), await bench.server()];
  await sql.query(
    `insert into players (identity, game, name, name_key, first_seen_at, last_seen_at)
     select 'name:' || kind || number, 'minecraft', kind || number, kind || number, '2026-01-01', '2026-06-01'
     from (values ('crowd', 2500), ('other', 60)) as kinds (kind, most), generate_series(1, most) as number`,
  );
  await sql.query(
    `insert into player_names select id, name, name_key, first_seen_at, last_seen_at from players
     union all select id, 'once ' || name, 'once ' || name_key, first_seen_at, last_seen_at from players`,
  );
  const add = (who: string, server: number, rows: number) =>
    sql.query(
      `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
       select player.id, $1, '', began, began + interval '2 hours', began + interval '2 hours'
       from generate_series(1, $3::int) as row
       cross join lateral (select '2026-01-02'::timestamptz + (row * 37 % 23) * interval '1 hour' as began) as at
       join players as player on player.name = $2 || (1 + row * 13 % case $2 when 'crowd' then 2500 else 60 end)`,
      [servers[server], who, rows],
    );
  await add('crowd', 0, 2500);
  await add('crowd', 1, 3);
  for (const server of [0, 1, 2]) await add('other', server, 40 + server * 7);
});
afterAll(async () => {
  await sql[Symbol.asyncDispose]();
  await bench[Symbol.asyncDispose]();
});

const told = async (
  scope: readonly string[],
  search: { text?: string; serverId?: string } = {},
  limit = 11,
) => {
  const rows = [];
  for (let beyond = null; ; ) {
    const page = await readPlayers(bench.database.db, scope, { ...search, beyond, limit });
    rows.push(...page);
    const last = page.at(-1);
    if (!last || page.length < limit) break;
    beyond = { at: last.last_seen_at, id: last.id };
  }
  return rows.map(({ id, first_seen_at, last_seen_at }) => [id, first_seen_at, last_seen_at]);
};
const counted = async (scope: readonly string[], condition = 'true') => {
  const rows = await sql.query(
    `select player_id as id, min(joined_at) as first, max(left_at) as last from player_sessions
     join players on players.id = player_id
     where server_id = any ($1) and ${condition} group by player_id order by last desc, player_id desc`,
    [scope],
  );
  return rows.map(({ id, first, last }) => [id, first, last]);
};

// Guarantee: page by page everyone seen on these servers comes once, last seen first, whatever the servers.
test.each([[[0]], [[1]], [[3]], [[1, 2]], [[0, 1, 2, 3]], [[]]])('pages of servers %j', async (numbers) => {
  const scope = numbers.map((number) => servers[number] ?? '');
  expect(await told(scope, {}, numbers.includes(0) ? 200 : 11)).toEqual(await counted(scope));
});

// Guarantee: a name of thousands is found as reliably as that of a few, and only among players of these servers.
test.each([
  ['crowd', [1], "name like 'crowd%'"],
  ['ONCE other', [1, 2], "name like 'other%'"],
  ['other7', [1, 2], "name = 'other7'"],
  ['o', [1], 'true'],
  ['nobody', [0, 1], 'false'],
])('%s on servers %j', async (text, numbers, condition) => {
  const scope = numbers.map((number) => servers[number] ?? '');
  // Every name counts for the whole time.
  expect(await told(scope, { text })).toEqual(await counted(scope, condition));
});

// Guarantee: asking for one server returns only the players of that server.
test('one of several servers', async () => {
  const [first = '', second = '', third = ''] = servers;
  const there = `player_id in (select player_id from player_sessions where server_id = '${third}')`;
  expect(await told([first, second, third], { serverId: third })).toEqual(
    await counted([first, second, third], there),
  );
});
