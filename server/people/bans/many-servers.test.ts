import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandResult } from '#contracts/servers/games.ts';
import { runCount } from '#harness/kill-count.ts';
import { uncontestedLeases } from '../../kernel/commands/testing/uncontested-leases.ts';
import { silentLog, testOwner } from '../../kernel/testing/feature-api.ts';
import {
  type DeliveriesOfATest,
  deliveriesOfATest,
} from '../../store/deliveries/testing/deliveries-of-a-test.ts';
import { eraseMember } from '../members/erase-member.ts';
import { deleteOldBanPlaces } from './ban-retention.ts';
import { type Bans, createBans } from './bans.ts';
import { bansHealthOf } from './inspect-bans.ts';
import { by } from './testing/banning.ts';

const servers = runCount({ day: 150, night: 500 });
let store: DeliveriesOfATest;
let bans: Bans;
let aheadMs = 0;
/** Servers whose console is open. */
const open = new Set<string>();
const told: string[] = [];
/** What the games reply next. */
let say = (command: string): string => `Banned ${command.split(' ')[1]}: spam`;

beforeAll(async () => {
  store = await deliveriesOfATest();
  bans = createBans({
    db: store.database.db,
    ways: {
      open: (id) => (open.has(id) ? { way: 'direct', connection: 'c' } : null),
      prepare: async (_trx, sendings) =>
        sendings.map(({ serverId, command }) => ({
          async run(): Promise<CommandResult> {
            told.push(`${serverId} ${command}`);
            return { outcome: 'answered', reply: say(command), truncated: false, sent: true, durationMs: 1 };
          },
        })),
      leases: uncontestedLeases,
      resultOf: async () => null,
      ask: async () => null,
    },
    servers: store.servers,
    sessions: () => [],
    licenseHolds: () => true,
    now: () => Date.now() + aheadMs,
    log: silentLog,
  });
  for (let index = 0; index < servers; index += 1) await store.server('minecraft');
}, 120_000);
afterAll(async () => {
  await bans[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

// Guarantee: a ban reaches hundreds of servers with one command each; health names those that are away for an hour.
test('hundreds of servers', { timeout: 120_000, tags: 'kills' }, async () => {
  const { playerId } = await store.member('Steve', 'minecraft', 'minecraft:steve');
  for (const { id } of store.servers.all().slice(0, servers - 10)) open.add(id);
  const given = await bans.write.give(playerId, { servers: 'all', reason: 'spam', until: null }, by);
  await bans.round();
  const places = async () => (await bans.reading.read(testOwner, String(given)))?.places;
  expect(await places()).toEqual({ 'in-force': servers - 10, waiting: 10 });
  expect(bansHealthOf(await bans.inspect())).toEqual({ status: 'ok', detail: null });
  aheadMs = 2 * 3_600_000;
  await bans.round();
  const health = bansHealthOf(await bans.inspect());
  expect(health).toMatchObject({
    status: 'degraded',
    detail: expect.stringMatching(
      /^Bans and unbans that are not on their servers yet: 10\. The oldest has waited 2 h\. Servers: /,
    ),
  });
  for (const { id } of store.servers.all()) open.add(id);
  await bans.round();
  expect(await places()).toEqual({ 'in-force': servers });
  expect(told).toHaveLength(servers);
  expect(bansHealthOf(await bans.inspect())).toEqual({ status: 'ok', detail: null });
});

// Guarantee: what a game refuses is shown as refused and retried, later each time, until the game accepts it.
test('a game that refuses', async () => {
  const { playerId } = await store.member('Alex', 'minecraft', 'minecraft:alex');
  const [server] = store.servers.all();
  say = () => 'That player does not exist';
  const wanted = { servers: [server?.id ?? ''], reason: '', until: null };
  const given = await bans.write.give(playerId, wanted, by);
  const states = async () => (await bans.reading.read(testOwner, String(given)))?.details;
  // Requested again while the next try waits, it does not count as a server that is away.
  for (const _again of [1, 2])
    expect(await bans.banOn({ playerId, serverId: server?.id ?? '', reason: '' }, by)).toEqual({
      outcome: 'answered',
      verdict: 'failed',
      detail: 'Minecraft knows no player of this name.',
      kept: true,
    });
  await bans.round();
  expect(await states()).toMatchObject([{ state: 'refused', tries: 1, reply: 'That player does not exist' }]);
  aheadMs += 20_000;
  await bans.round();
  expect(await states()).toMatchObject([{ state: 'refused', tries: 2 }]);
  say = () => 'Nothing changed. The player is already banned';
  aheadMs += 3_600_000;
  await bans.round();
  expect(await states()).toMatchObject([{ state: 'in-force', tries: 0, nextTryAt: null }]);
  expect(told.filter((line) => line.includes('Alex'))).toHaveLength(3);
});

// Guarantee: a server that is new or back does not delay due work while every ban of its game is checked; a server that
// is archived is no reason to check any.
test('more news than one batch', async () => {
  const { pool } = store.database;
  const serverId = await store.server('ark-asa');
  open.add(serverId);
  await pool.query(
    `insert into players (identity, game, platform_id, name, name_key)
     select 'eos:' || lpad(n::text, 32, 'c'), 'ark-asa', 'eos:' || lpad(n::text, 32, 'c'), 'Many' || n, 'many' || n
       from generate_series(1, 510) as n`,
  );
  await pool.query(
    `insert into bans (player_id, player_name, game, is_everywhere, reason, banned_at, actor)
     select id, name, 'ark-asa', true, '', now(), 'test' from players where name like 'Many%'`,
  );
  const { rows } = await pool.query<{ id: string }>(
    `select max(id) as id from players where name like 'Many%'`,
  );
  const holder = await pool.connect();
  const lock = `hashtextextended('castellan-ban-' || $1::text, 0)`;
  await holder.query(`select pg_advisory_lock(${lock})`, [rows[0]?.id]);
  const sentThere = () => told.filter((line) => line.startsWith(`${serverId} BanPlayer`)).length;
  const round = bans.round();
  await expect.poll(sentThere, { timeout: 60_000 }).toBeGreaterThan(0);
  const news = () => pool.query('select from ban_news').then(({ rowCount }) => rowCount);
  expect(await news()).toBeGreaterThan(0);
  await holder.query(`select pg_advisory_unlock(${lock})`, [rows[0]?.id]);
  holder.release();
  await round;
  expect(sentThere()).toBe(510);
  expect(await news()).toBe(0);
  await store.archive(serverId);
  expect(await news()).toBe(0);
  await store.unarchive(serverId);
  expect(await news()).toBe(510);
  await bans.round();
  expect(sentThere()).toBe(510);
}, 120_000);

// Guarantee: the state of a ban on servers is deleted 90 days after its end, in as many batches as needed; for a player
// who is banned it stays.
test('the servers of an ended ban', async () => {
  const { pool, db } = store.database;
  const count = async (name: string) =>
    (
      await pool.query(
        'select from ban_places join players on players.id = player_id where players.name like $1',
        [name],
      )
    ).rowCount;
  const signal = new AbortController().signal;
  await pool.query(
    `with free as (
       insert into players (identity, game, platform_id, name, name_key)
       select 'minecraft:free' || n, 'minecraft', 'minecraft:free' || n, 'Free' || n, 'free' || n
         from generate_series(1, 3) as n returning id)
     insert into ban_places (server_id, player_id, wanted, wanted_at, next_try_at, known, certainty, known_at)
     select server.id, free.id, 'free', now() - interval '91 days', now(), 'free', 'proven', now() - interval '91 days'
       from free cross join game_servers as server where server.game = 'minecraft'`,
  );
  const { rows } = await pool.query<{ id: string }>(
    `select id from players where name like 'Free%' order by id`,
  );
  const [, banned, late] = rows;
  const { serverId } = await db
    .selectFrom('ban_places')
    .where('player_id', '=', banned?.id ?? '')
    .select('server_id as serverId')
    .executeTakeFirstOrThrow();
  const wanted = { servers: [serverId], reason: '', until: null };
  expect(await bans.write.give(banned?.id ?? '', wanted, by)).toEqual(expect.any(String));
  await pool.query(`update ban_places set known_at = now() where player_id = $1`, [late?.id]);
  expect(await deleteOldBanPlaces(db, signal)).toBe(servers);
  expect([await count('Free1'), await count('Free2'), await count('Free3')]).toEqual([0, servers, servers]);
  await pool.query(`update ban_places set known_at = now() - interval '91 days' where player_id = $1`, [
    late?.id,
  ]);
  await pool.query('update bans set ended_at = now(), ended_how = $2 where player_id = $1', [
    banned?.id,
    'expired',
  ]);
  await pool.query('delete from ban_news');
  expect(await deleteOldBanPlaces(db, signal)).toBe(2 * servers - 1);
  expect(await count('Steve')).toBe(servers);
});

// Guarantee: a banned member is not erased before every server that has the ban has lifted it.
test('erasing waits', async () => {
  const { rows } = await store.database.pool.query<{ id: string }>(
    `select bans.id from bans join players on players.id = bans.player_id where players.name = 'Alex'`,
  );
  expect(rows).toHaveLength(1);
  open.clear();
  const member = await store.database.db
    .selectFrom('players')
    .innerJoin('members', 'members.id', 'players.member_id')
    .select(['members.id', 'members.version'])
    .where('players.name', '=', 'Alex')
    .executeTakeFirstOrThrow();
  await store.database.pool.query(
    `insert into agent_commands (id, server_id, command, timeout_ms, expires_at)
     select distinct on (players.id) 'ban.' || place.id || '.0000000000000000', place.server_id, 'ban ' || players.name, 1000, now()
       from ban_places as place join players on players.id = place.player_id where players.name in ('Alex', 'Steve')`,
  );
  const erase = () =>
    store.database.db.transaction().execute((trx) => eraseMember(trx, member.id, member.version));
  expect(await erase()).toMatchObject({ refused: 'DELIVERY_STATE' });
  await bans.write.lift(rows[0]?.id ?? '', by);
  expect(await erase()).toMatchObject({ refused: 'DELIVERY_STATE' });
  for (const { id } of store.servers.all()) open.add(id);
  say = (command) => `Unbanned ${command.split(' ')[1]}`;
  aheadMs += 60_000;
  await bans.round();
  expect(await erase()).toHaveLength(1);
  const commands = await store.database.db.selectFrom('agent_commands').select('command').execute();
  expect(commands).toEqual([{ command: 'ban Steve' }]);
  expect(await bans.reading.read(testOwner, rows[0]?.id ?? '')).toMatchObject({
    playerId: null,
    playerName: '',
    reason: '',
    details: [],
  });
});

// Guarantee: a ban that is given while its player is being erased finds no player; no ban is left that no one can lift.
test('a ban during an erasure', async () => {
  const { db, pool } = store.database;
  const { playerId, memberId } = await store.member('Ari', 'minecraft', 'minecraft:ari');
  const { version } = await db
    .selectFrom('members')
    .select('version')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow();
  const given = await db.transaction().execute(async (trx) => {
    expect(await eraseMember(trx, memberId, version)).toEqual([playerId]);
    const wanted = { servers: 'all', reason: '', until: null } as const;
    const giving = bans.write.give(playerId, wanted, by).catch((error: unknown) => error);
    await expect
      .poll(async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount;
      })
      .toBe(1);
    return { giving };
  });
  expect(await given.giving).toEqual({ refused: 'NOT_FOUND' });
});
