import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { type TimelineEntry, timelineEntry, timelineKinds } from '#contracts/people/timelines.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { insertMember, insertOrder } from '../../kernel/testing/store-rows.ts';
import { newestPositions } from './read-timeline.ts';
import { encodeTimelineCursor } from './timeline-cursor.ts';
import type { Subject } from './timeline-source.ts';
import { createTimelines, type Timelines } from './timelines.ts';

let database: MigratedDatabase;
let timelines: Timelines;
let playerId: string;
let memberId: string;

const run = async <Row extends Record<string, unknown>>(statement: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(statement, values)).rows;
const idOf = async (statement: string, values: unknown[] = []) =>
  String((await run<{ id: string }>(statement, values))[0]?.id);

const insertPlayer = async (name: string): Promise<{ id: string; member_id: string }> => {
  const [row] = await run<{ id: string; member_id: string }>(
    `with made as (insert into players (identity, game, name, name_key) values ($1, 'minecraft', $2, $2) returning id)
     select id from made`,
    [`name:minecraft:${name}`, name],
  );
  const id = row?.id ?? '';
  const [known] = await run<{ member_id: string }>('select member_id from players where id = $1', [id]);
  return { id, member_id: known?.member_id ?? '' };
};

const actorWith = (
  permissions: readonly Permission[],
  perServer: Readonly<Record<string, readonly Permission[]>> = {},
): Actor => ({
  ...testOwner,
  permissions: new Set(permissions),
  serverPermissions: new Map(Object.entries(perServer).map(([id, granted]) => [id, new Set(granted)])),
});

const moderator = ['players.read', 'events.read', 'console.read', 'members.read', 'orders.read'] as const;

const read = async (
  actor: Actor,
  query: { cursor?: string; limit?: number; kind?: (typeof timelineKinds)[number][]; from?: string } = {},
) => {
  const page = await timelines.ofPlayer(actor, playerId, { limit: 500, ...query });
  if (isRefusal(page)) throw new Error(page.refused);
  return page;
};

/** Reads pages of this size, one after the other. @param between runs after each page */
const readAll = async (limit: number, between?: () => Promise<unknown>): Promise<TimelineEntry[]> => {
  const rows: TimelineEntry[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(testOwner, { limit, ...(cursor && { cursor }) });
    rows.push(...page.rows);
    if (page.nextCursor === null) return rows;
    cursor = page.nextCursor;
    await between?.();
  }
};

const startMs = Date.parse('2026-03-01T12:00:00.000Z');
const at = (minutes: number) => new Date(startMs + minutes * 60_000).toISOString();

beforeAll(async () => {
  database = await migratedDatabase();
  timelines = createTimelines(database.db, { auditDays: 3650, eventDays: 3650 });
  await run(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  for (const id of ['reef', 'moor'])
    await run(
      `insert into game_servers (id, cluster_id, name, name_key, game, port) values ($1, 'c', $1, $1, 'minecraft', 25575)`,
      [id],
    );
  ({ id: playerId, member_id: memberId } = await insertPlayer('Otter'));
  const visit = (server: string, from: number, until: number | null) =>
    run(
      `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
       values ($1, $2, '', $3, $3, $4)`,
      [playerId, server, at(from), until === null ? null : at(until)],
    );
  await visit('reef', 0, 10);
  await visit('moor', 20, 30);
  await visit('reef', 100, null);
  for (const [minute, kind] of [
    [1, 'chat.message'],
    [0, 'player.joined'],
  ] as const)
    await run(
      `insert into event_logs (kind, severity, server_id, payload, at) values ($1, 'info', 'reef', $2, $3)`,
      [kind, JSON.stringify({ playerId, name: 'Otter', text: 'hello' }), at(minute)],
    );
  const act = (action: string, target: string, minute: number, after: unknown) =>
    run(
      `insert into audit_logs (at, actor, actor_name, action, target, after) values ($1, 'admin:a', 'Ann', $2, $3, $4)`,
      [at(minute), action, target, JSON.stringify(after)],
    );
  const kick = { command: 'kick Otter spam', servers: ['moor'], text: 'spam' };
  await act('players.kick', `player:${playerId}`, 21, kick);
  await run(
    `insert into console_commands (at, server_id, run_id, actor, command, outcome, reply)
     values ($1, 'moor', gen_random_uuid(), 'admin:a', $2, 'answered', 'Unknown or incomplete command')`,
    [at(21), kick.command],
  );
  await act('players.message', `player:${playerId}`, 2, { command: 'tell', servers: ['reef'], text: 'hi' });
  await act('players.restore-ban', `player:${playerId}`, 50, {});
  await act('members.link-code', `member:${memberId}`, 51, {});
  // The ban itself reports this.
  await act('players.ban', `player:${playerId}`, 40, {});
  const banId = await idOf(
    `insert into bans (player_id, player_name, game, is_everywhere, reason, banned_at, actor, actor_name, ended_at, ended_how)
     values ($1, 'Otter', 'minecraft', false, 'griefing', $2, 'admin:a', 'Ann', $3, 'expired') returning id`,
    [playerId, at(40), at(45)],
  );
  await run(`insert into ban_servers (ban_id, server_id) values ($1, 'moor')`, [banId]);
  await run(
    `insert into ledger (kind, at, from_account, to_account, to_member, amount, actor, actor_name)
     values ('grant', $2, 'issued', 'wallet', $1, 500, 'admin:a', 'Ann')`,
    [memberId, at(60)],
  );
  const { orderId, deliveryIds } = await insertOrder(database.pool, memberId, ['delivered'], 50);
  await run('update orders set created_at = $2 where id = $1', [orderId, at(70)]);
  await run(`update deliveries set ended_at = $2, server_id = 'reef' where id = $1`, [
    deliveryIds[0],
    at(71),
  ]);
  await run(
    `insert into member_merges (at, kept_id, merged_id, player_ids, member_ids, points, entries_before, actor, actor_name)
     values ($1, $2, $3, '{}', '{}', 5, 0, 'admin:a', 'Ann')`,
    [at(80), memberId, await insertMember(database.pool)],
  );
  // The merge of a member who had nothing.
  await run(
    `insert into member_merges (at, kept_id, merged_id, player_ids, member_ids, points, entries_before, actor)
     values ($1, $2, $3, '{}', '{}', 0, 0, 'local:a')`,
    [at(81), memberId, await insertMember(database.pool)],
  );
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

// Guarantee: what the tables know about a person is one list by time, each thing reported once, and each entry has the shape
// of the contract.
test('everything of one person', async () => {
  const { rows, kinds, nextCursor } = await read(testOwner);
  expect(rows.map(({ type, at: when }) => `${(Date.parse(when) - startMs) / 60_000} ${type}`)).toEqual([
    '100 joined',
    '80 merged',
    '71 delivery',
    '70 ordered',
    '60 points',
    '51 act',
    '50 act',
    '45 ban-ended',
    '40 banned',
    '30 left',
    '21 command',
    '20 joined',
    '10 left',
    '2 command',
    '1 said',
    '0 joined',
  ]);
  for (const row of rows) timelineEntry.parse(row);
  expect([kinds, nextCursor]).toEqual([timelineKinds, null]);
  expect(rows.filter((row) => row.type === 'joined').map(({ isFirst }) => isFirst)).toEqual([
    false,
    false,
    true,
  ]);
  expect(rows.find((row) => row.type === 'command')).toMatchObject({
    command: 'kick',
    text: 'spam',
    outcome: 'answered',
    gameError: true,
    by: { name: 'Ann' },
  });
  expect(rows.find((row) => row.type === 'banned')).toMatchObject({
    serverIds: ['moor'],
    reason: 'griefing',
  });
  expect(rows.find((row) => row.type === 'ordered')).toMatchObject({ lines: [{ name: 'P', quantity: 1 }] });
  expect((await timelines.ofMember(testOwner, memberId, { limit: 500 })) as object).toMatchObject({ rows });
});

// Guarantee: a timeline tells nothing about a place to a caller who may not see it.
test('permissions', async () => {
  const typesOf = async (actor: Actor) => new Set((await read(actor)).rows.map(({ type }) => type));
  const all = await typesOf(actorWith(moderator));
  expect([...all].sort()).toEqual(
    [
      'ban-ended',
      'banned',
      'command',
      'delivery',
      'joined',
      'left',
      'merged',
      'ordered',
      'points',
      'said',
    ].sort(),
  );
  const withoutOrders = await read(actorWith(moderator.filter((name) => name !== 'orders.read')));
  expect(withoutOrders.rows.some(({ type }) => type === 'ordered' || type === 'delivery')).toBe(false);
  expect(withoutOrders.kinds).not.toContain('store');
  // Not even when it is requested by name.
  const asked = await read(actorWith(['players.read']), {
    kind: ['store', 'points', 'accounts', 'staff', 'chat'],
  });
  expect(asked.rows).toEqual([]);
  expect(await typesOf(actorWith(['players.read', 'orders.read']))).toEqual(
    new Set(['joined', 'left', 'banned', 'ban-ended']),
  );
  // With one server only: nothing of the other one, and the first visit there counts as the first known.
  const ofReef = await read(actorWith([], { reef: ['players.read', 'console.read'] }));
  expect(ofReef.rows.map(({ type }) => type)).toEqual(['joined', 'left', 'command', 'joined']);
  expect(ofReef.rows.every((row) => !('serverId' in row) || row.serverId === 'reef')).toBe(true);
  const nowhere = await timelines.ofPlayer(actorWith([], { else: ['players.read'] }), playerId, { limit: 5 });
  expect(nowhere).toEqual({ refused: 'NOT_FOUND' });
  expect(await timelines.ofMember(testOwner, '999999999', { limit: 5 })).toEqual({ refused: 'NOT_FOUND' });
});

test('kinds, a beginning, and cursors that are none', async () => {
  const some = await read(testOwner, { kind: ['chat', 'points'], from: at(1) });
  expect(some.rows.map(({ type }) => type)).toEqual(['points', 'said']);
  for (const cursor of ['x', '', Buffer.from('1.1.99999999999999999999').toString('base64url')])
    await expect(read(testOwner, { cursor })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

// Guarantee: pages of any size contain every entry once, in one order, while newer ones arrive in between.
test('pages while new rows come', async () => {
  const whole = (await read(testOwner)).rows.map(({ id }) => id);
  for (const limit of [1, 3, 7]) expect((await readAll(limit)).map(({ id }) => id)).toEqual(whole);
  let minute = 1000;
  const grown = await readAll(2, () => {
    minute += 1;
    return run(
      `insert into ledger (kind, at, from_account, to_account, to_member, amount, actor)
       values ('grant', $2, 'issued', 'wallet', $1, 1, 'test')`,
      [memberId, at(minute)],
    );
  });
  expect(grown.map(({ id }) => id)).toEqual(whole);
  await run(`alter table ledger disable trigger all`);
  await run(`delete from ledger where at > $1`, [at(999)]);
  await run(`alter table ledger enable trigger all`);
});

// Guarantee: a ban of a member's other player is shown only to those who may see members; others would learn from it that
// both players are one person.
test('the bans of another player of the member', async () => {
  const [seen, other] = [await insertPlayer('Heron'), await insertPlayer('Egret')];
  await run('update players set member_id = $1 where id = $2', [seen.member_id, other.id]);
  for (const [{ id }, minute] of [
    [seen, 1],
    [other, 2],
  ] as const)
    await run(
      `insert into bans (player_id, player_name, game, is_everywhere, reason, banned_at, actor)
       values ($1, 'A player', 'minecraft', true, 'griefing', $2, 'test')`,
      [id, at(minute)],
    );
  const bansToldTo = async (actor: Actor) => {
    const page = await timelines.ofPlayer(actor, seen.id, { limit: 50 });
    if (isRefusal(page)) throw new Error(page.refused);
    return page.rows.filter(({ type }) => type === 'banned').map((row) => row.at);
  };
  expect(await bansToldTo(actorWith(['players.read', 'members.read']))).toEqual([at(2), at(1)]);
  expect(await bansToldTo(actorWith(['players.read']))).toEqual([at(1)]);
});

// Guarantee: entries of the same moment have one order, whatever the page size.
test('entries of one moment', async () => {
  const { id } = await insertPlayer('Twins');
  await run(
    `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
     select $1, case when n % 2 = 0 then 'reef' else 'moor' end, '', $2, $2, $2 from generate_series(1, 10) as n`,
    [id, at(0)],
  );
  const pageOf = async (limit: number, cursor?: string) => {
    const page = await timelines.ofPlayer(testOwner, id, { limit, ...(cursor && { cursor }) });
    if (isRefusal(page)) throw new Error(page.refused);
    return page;
  };
  const whole = (await pageOf(50)).rows.map((row) => row.id);
  expect(new Set(whole).size).toBe(20);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(3, cursor);
    found.push(...page.rows.map((row) => row.id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(found).toEqual(whole);
});

// Guarantee: with 10,000 entries of a person, a page reads the newest of each table by its index, in the middle as at the start.
test('10,000 entries', async () => {
  const { id, member_id } = await insertPlayer('Veteran');
  await run(
    `insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
     select $1, 'reef', '', moment, moment, moment + interval '1 minute'
     from (select $2::timestamptz + n * interval '3 minutes' as moment from generate_series(1, 3000) as n) as made`,
    [id, at(0)],
  );
  await run(
    `insert into event_logs (kind, severity, server_id, payload, at)
     select 'chat.message', 'info', 'reef', jsonb_build_object('playerId', $1::text, 'name', 'V', 'text', n::text),
            $2::timestamptz + n * interval '3 minutes' from generate_series(1, 2000) as n`,
    [id, at(0)],
  );
  await run(
    `insert into ledger (kind, at, from_account, to_account, to_member, amount, actor)
     select 'grant', $2::timestamptz + n * interval '3 minutes', 'issued', 'wallet', $1, 1, 'test'
     from generate_series(1, 2000) as n`,
    [member_id, at(0)],
  );
  await database.pool.query('analyze');
  const subject: Subject = {
    playerIds: [id],
    bannedPlayerIds: [id],
    memberIds: [member_id],
    memberId: member_id,
    discordId: null,
    visits: null,
    bans: null,
    commands: null,
    seesChat: true,
    seesOrders: true,
    seesActs: true,
  };
  for (const cursor of [undefined, encodeTimelineCursor({ at: new Date(at(4500)), rank: 0, id: '1' })]) {
    const statement = newestPositions(subject, { limit: 50, cursor }, { auditDays: 3650, eventDays: 3650 });
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode; 'Execution Time': number }] }>`
      explain (analyze, format json) ${statement}`.execute(database.db);
    const [plan] = rows[0]?.['QUERY PLAN'] ?? [];
    const scans = plan ? scansOf(plan.Plan) : [];
    const ofLarge = scans.filter(({ relation }) =>
      ['player_sessions', 'event_logs', 'ledger'].includes(relation),
    );
    expect(ofLarge.length).toBeGreaterThanOrEqual(4);
    for (const scan of ofLarge) expect(scan).toMatchObject({ isIndexed: true, isBounded: true });
    const page = await timelines.ofPlayer(testOwner, id, { limit: 50, ...(cursor && { cursor }) });
    if (isRefusal(page)) throw new Error(page.refused);
    expect(page.rows).toHaveLength(50);
    expect(page.rows.every((row) => !cursor || row.at <= at(4500))).toBe(true);
  }
}, 60_000);

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Each read of a table, and whether it read little more than a page through an index. */
const scansOf = (
  node: PlanNode,
): readonly { readonly relation: string; readonly isIndexed: boolean; readonly isBounded: boolean }[] => {
  const relation = node['Relation Name'];
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const own =
    relation === undefined
      ? []
      : [{ relation, isIndexed: node['Node Type'].startsWith('Index'), isBounded: rows <= 60 }];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
};
