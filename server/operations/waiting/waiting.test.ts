import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import {
  type Waiting,
  type WaitingKind,
  waitingHttp,
  waitingKindNames,
  waitingKinds,
} from '#contracts/operations/waiting.ts';
import { eventually } from '#harness/eventually.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { Secret } from '#runtime/secret.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, person } from '../../kernel/testing/call.ts';
import { migratedDatabase, silentLog } from '../../kernel/testing/feature-api.ts';
import { openLiveClient } from '../../kernel/testing/live-client.ts';
import { grantPoints, insertMember, insertOrder } from '../../kernel/testing/store-rows.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { insertServers } from '../../servers/console/testing/servers-in-use.ts';
import { createWaitingList } from './waiting.ts';

const running = apiForThisFile({ waitingMs: 20 });
const query = (text: string, values: unknown[] = []) =>
  running().api.context.database.pool.query(text, values);
const read = async (as: string = testDesktopCredential): Promise<Waiting> =>
  (await call(running().port, waitingHttp.list, { as })).json as unknown as Waiting;
/** One reading serves a second. */
const until = (check: (waiting: Waiting) => void, as?: string) =>
  eventually(async () => check(await read(as)));

let memberId: string;
beforeAll(async () => {
  await insertServers(running().api.context.database.db, ['fjord', 'island', 'coast']);
  const { pool } = running().api.context.database;
  memberId = await insertMember(pool);
  await grantPoints(pool, memberId, 100);
  await query(
    `insert into shops (id, kind, name, is_enabled, game, allows_names, checks_address)
     values ('shop', 'generic', 'Shop', true, 'minecraft', false, false)`,
  );
});

const old = '2026-01-02T03:04:05.000Z';
const shopOrder = (id: string, state: string, orderId: string | null = null) =>
  query(
    `insert into shop_orders (id, shop_id, external_id, refs, state, order_id, created_at)
     values ($1, 'shop', $1, '{}', $2, $3, $4)`,
    [id, state, orderId, old],
  );
const product = async (id: string, more: string, lines: unknown[], approvedBy: string | null) => {
  await query(`insert into products (id) values ($1)`, [id]);
  await query(
    `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines,
                                   approved_by, approved_at)
     values ($1, 1, $1, $1, '', '', 1, 'minecraft', $2, $3, now())`,
    [id, JSON.stringify(lines), approvedBy],
  );
  await query(`update products set ${more} where id = $1`, [id]);
};
const delivered = (states: readonly string[]) =>
  insertOrder(running().api.context.database.pool, memberId, states, 1);
const saves = (serverId: string, unconfirmed: string | null, failedAt: string | null) =>
  query(
    `insert into server_saves (server_id, list, listed_at, nightly_failure_at) values ($1, $2, now(), $3)
     on conflict (server_id) do update set list = excluded.list, nightly_failure_at = excluded.nightly_failure_at`,
    [serverId, JSON.stringify({ backups: [], unconfirmed, nightly: null, freeBytes: null }), failedAt],
  );
const attempt = async (damage: { since: string; detail: string } | null, outcome: 'failed' | 'taken') => {
  const folder = join(running().home, 'backups');
  await mkdir(folder, { recursive: true });
  const tried = { at: old, outcome, path: null, reason: 'test', bytes: null, detail: 'x', damage };
  await writeFile(join(folder, 'last-attempt.json'), JSON.stringify(tried));
};

interface Planted {
  readonly kind: WaitingKind;
  readonly plant: () => Promise<unknown>;
  readonly solve: () => Promise<unknown>;
  readonly shown?: Partial<Waiting['rows'][number]>;
}

const kinds: readonly Planted[] = [
  {
    kind: 'deliveries',
    async plant() {
      const { deliveryIds } = await delivered(['unknown', 'unknown', 'delivered']);
      await query(
        `update deliveries set desk_reason = 'unknown', desk_at = $2 where id = any ($1) and state = 'unknown'`,
        [deliveryIds, old],
      );
      // Counts as delivered.
      await query(`update deliveries set certainty = 'unconfirmed' where state = 'delivered'`);
    },
    solve: () => query(`update deliveries set desk_reason = null, desk_at = null`),
    shown: { count: 2, since: old, to: '/desk' },
  },
  {
    kind: 'shop-orders',
    async plant() {
      await shopOrder('waits', 'waiting');
      await shopOrder('asks', 'person');
      await shopOrder('unrelated', 'set-aside');
    },
    solve: () => query(`update shop_orders set state = 'set-aside' where state in ('waiting', 'person')`),
    shown: { count: 2, since: old, to: '/shops' },
  },
  {
    kind: 'shop-orders-left',
    async plant() {
      const { orderId } = await delivered(['delivered']);
      await query(
        `update deliveries set line = '{"kind": "item"}', refunded_at = now() where order_id = $1`,
        [orderId],
      );
      await shopOrder('taken', 'given', orderId);
      await query(`update shop_orders set state = 'taken-back', reason = 'refunded' where id = 'taken'`);
    },
    solve: () => query(`update shop_orders set state = 'set-aside' where id = 'taken'`),
    shown: { count: 1, to: '/shops?state=taken-back' },
  },
  {
    kind: 'removals',
    async plant() {
      const { deliveryIds } = await delivered(['delivered']);
      const { rows } = await query(
        `insert into entitlements (member_id, game, key, ends_at, ended_at)
         values ($1, 'minecraft', 'rank', now(), now()) returning id`,
        [memberId],
      );
      await query(
        `insert into entitlement_places (entitlement_id, server_id, delivery_id, state, changed_at, next_try_at)
         values ($1, 'fjord', $2, 'taking', $3, 'infinity')`,
        [rows[0]?.id, deliveryIds[0], old],
      );
    },
    solve: () => query(`update entitlement_places set state = 'taken'`),
    shown: { count: 1, since: old, to: '/desk' },
  },
  {
    kind: 'seasons',
    // In one statement: a season without a step is over.
    plant: () =>
      query(
        `with winter as (
           insert into seasons (id, name, game, began_at, created_at, balances, actor)
           values ('winter', 'Winter', 'palworld', $1, $1, '{"kind": "none"}', 'test') returning id)
         insert into season_steps (season_id, kind, member_id, points, next_try_at)
         select id, 'balance', $2, 1, now() + interval '1 day' from winter`,
        [old, memberId],
      ),
    solve: () => query(`update seasons set state = 'done'`),
    shown: { count: 1, since: old, to: '/seasons' },
  },
  {
    kind: 'approvals',
    plant: () =>
      product('kit', `is_enabled = true`, [{ kind: 'command', command: 'op {player}' }], 'admin:gone'),
    solve: () => query(`update products set is_enabled = false where id = 'kit'`),
    shown: { count: 1, to: '/store' },
  },
  {
    kind: 'held-products',
    plant: () => product('held', `is_enabled = true, held_at = '${old}', held_reason = 'x'`, [], null),
    solve: () => query(`update products set held_at = null`),
    shown: { count: 1, since: old, to: '/store' },
  },
  {
    kind: 'restores',
    plant: () => saves('coast', '2026-01-02T03-04-05Z', null),
    solve: () => saves('coast', null, null),
    shown: { count: 1, to: '/servers/coast/saves' },
  },
  {
    kind: 'world-backups',
    async plant() {
      await saves('fjord', null, old);
      await saves('island', null, old);
    },
    async solve() {
      await saves('fjord', null, null);
      await saves('island', null, null);
    },
    shown: { count: 2, since: old, to: '/servers' },
  },
  {
    kind: 'restore-runs',
    plant: () =>
      query(
        `insert into restore_runs (id, server_id, action, backup, request, starts, step, actor, actor_name, address,
           requested_at, outcome, ended_at)
         values ('run', 'coast', 'restore', 'b', '{}', true, 'restoring', 'a', 'a', '', '${old}', 'failed', now() - interval '1 hour')`,
      ),
    solve: () =>
      query(
        `insert into restore_runs (id, server_id, action, backup, request, starts, step, actor, actor_name, address, outcome, ended_at)
         values ('later', 'coast', 'restore', 'b', '{}', true, 'starting', 'a', 'a', '', 'done', now())`,
      ),
    shown: { count: 1, to: '/servers/coast/saves' },
  },
  {
    kind: 'mod-failures',
    plant: () =>
      query(
        `insert into mod_jobs (id, server_id, kind, request, change, lines, actor, actor_name, address, state, ended_at)
         values (gen_random_uuid(), 'island', 'change', '{}', '{}', '[]', 'a', 'a', '', 'done', now()),
                (gen_random_uuid(), 'island', 'change', '{}', '{}', '[]', 'a', 'a', '', 'unknown', '${old}')`,
      ),
    solve: () => query(`update mod_jobs set state = 'done'`),
    shown: { count: 1, since: old, to: '/servers/island/mods' },
  },
  {
    kind: 'mod-updates',
    async plant() {
      const mods = ['a', 'b', 'c'].map((key) => ({ key, version: key === 'c' ? '2' : '1' }));
      const updates = Object.fromEntries(
        mods.map(({ key }) => [key, { from: '1', version: '2', name: '2', isByHand: false }]),
      );
      await query(`insert into server_mods (server_id, list, listed_at) values ('island', $1, now())`, [
        JSON.stringify({ installed: mods, found: [] }),
      ]);
      await query(
        `insert into mod_checks (server_id, checked_at, next_at, found) values ('island', now(), 'infinity', $1)`,
        [JSON.stringify({ updates, projects: {}, known: {}, faults: [] })],
      );
    },
    solve: () =>
      query(
        `insert into mod_pins (server_id, key, reason, by_name) values ('island', 'a', '', ''), ('island', 'b', '', '')`,
      ),
    shown: { count: 2, to: '/servers/island/mods' },
  },
  {
    kind: 'license',
    plant: async () =>
      running().api.license.set('valid', undefined, {
        endsAt: new Date(Date.now() + 10 * 86_400_000).toISOString(),
      }),
    solve: async () =>
      running().api.license.set('valid', undefined, {
        endsAt: new Date(Date.now() + 20 * 86_400_000).toISOString(),
      }),
    shown: { count: 1, to: '/license' },
  },
  {
    kind: 'backups',
    plant: () => attempt(null, 'failed'),
    solve: () => attempt(null, 'taken'),
    shown: { tone: 'bad', to: '/backups' },
  },
  {
    kind: 'damage',
    plant: () => attempt({ since: old, detail: 'x' }, 'failed'),
    solve: () => attempt(null, 'taken'),
    shown: { tone: 'bad', to: '/backups' },
  },
];

// Guarantee: each kind is listed while one of it waits, with its number, its oldest and its page, and only then; both is recorded
// once, for Discord's rules.
test('each kind', async () => {
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([...waitingKindNames].sort());
  await until((waiting) => expect(waiting).toEqual({ rows: [], isWhole: true }));
  for (const { plant } of kinds) await plant();
  await until(({ rows }) => expect(rows.map(({ kind }) => kind)).toEqual(waitingKindNames));
  const { rows } = await read();
  for (const { kind, shown } of kinds)
    expect(rows.find((row) => row.kind === kind)).toMatchObject({ kind, count: 1, ...shown });
  const told = async (kind: string) => {
    const { rows: events } = await query(
      `select payload ->> 'waiting' as kind from event_logs where kind = $1`,
      [kind],
    );
    return events.map((event) => event.kind).sort();
  };
  await eventually(async () => expect(await told('waiting.began')).toEqual([...waitingKindNames].sort()));
  for (const { solve } of kinds) await solve();
  await until((waiting) => expect(waiting.rows).toEqual([]));
  await eventually(async () => expect(await told('waiting.ended')).toEqual([...waitingKindNames].sort()));
  expect(await told('waiting.began')).toHaveLength(waitingKindNames.length);
});

// Guarantee: no one learns of things, not even their number, that their permissions do not let them see.
test('what a moderator sees', async () => {
  const plant = (wanted: WaitingKind) => kinds.find(({ kind }) => kind === wanted)?.plant();
  await plant('world-backups');
  await query(`update deliveries set desk_reason = 'unknown', desk_at = now() where state = 'unknown'`);
  await until(({ rows }) => expect(rows.map(({ kind }) => kind)).toEqual(['deliveries', 'world-backups']));
  const { port } = running();
  const role = async (...permissions: Permission[]) => customRole(port, permissions);
  const ofOne = await person(port, {
    role: null,
    serverGrants: [{ serverId: 'island', role: await role('servers.read', 'saves.read') }],
  });
  await until(
    (waiting) =>
      expect(waiting).toMatchObject({
        rows: [{ kind: 'world-backups', count: 1, to: '/servers/island/saves' }],
        isWhole: false,
      }),
    ofOne.token,
  );
  const clerk = await person(port, { role: await role('orders.read') });
  await until(({ rows }) => expect(rows.map(({ kind }) => kind)).toEqual(['deliveries']), clerk.token);
  const stranger = await person(port, { role: await role('console.read') });
  expect(await read(stranger.token)).toEqual({ rows: [], isWhole: false });
  const all = [...new Set(waitingKindNames.map((kind) => waitingKinds[kind].permission))];
  const whole = await person(port, { role: await role(...all) });
  expect((await read(whole.token)).isWhole).toBe(true);
});

// Guarantee: an open panel learns of a change without asking for it.
test('the live topic', async () => {
  const { port } = running();
  const { token } = await person(port, { role: await customRole(port, ['console.read']) });
  using client = await openLiveClient(port, token);
  client.send({ type: 'subscribe', topic: 'waiting' });
  await client.next('waiting');
  await shopOrder('later', 'person');
  await client.next('waiting');
});

// Guarantee: what waits is recorded over the connection that holds the transaction, so that a pool of one connection is enough.
test('a single connection', async () => {
  await using database = await migratedDatabase();
  const url = new URL(database.url.reveal());
  url.searchParams.set('connection_limit', '1');
  await using single = openDatabase<Tables>({
    url: new Secret(url.toString()),
    applicationName: 'test',
    log: silentLog,
  });
  using list = createWaitingList({
    db: single.db,
    selects: () => [sql`select 'restores', 'coast', 1, now()`],
    readings: [
      async (db) => {
        await sql`select 1`.execute(db);
        return [{ kind: 'license', serverId: null, count: 1, since: null }];
      },
    ],
    obstacle: () => null,
    everyMs: 20,
    log: silentLog,
  });
  list.begin();
  await eventually(async () => {
    const rows = await database.db
      .selectFrom('event_logs')
      .select('payload')
      .where('kind', '=', 'waiting.began')
      .execute();
    expect(rows).toHaveLength(2);
  });
});
