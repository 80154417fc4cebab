import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { deleteExpired } from '../../kernel/logs/log-retention.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { type ConsoleHistory, createConsoleHistory, type HistoryQuery } from './console-history.ts';
import { insertServers } from './testing/servers-in-use.ts';

let database: MigratedDatabase;
let history: ConsoleHistory;

beforeEach(async () => {
  database = await migratedDatabase();
  await insertServers(database.db, ['one', 'two']);
  history = createConsoleHistory({ db: database.db, retentionDays: 30 });
});
afterEach(() => database[Symbol.asyncDispose]());

const given = (server: string, command: string, daysAgo: number, actor = 'admin:a', outcome = 'answered') =>
  sql`insert into console_commands (at, server_id, run_id, actor, command, outcome)
      values (now() - make_interval(secs => ${daysAgo * 86_400}), ${server}, 'run', ${actor}, ${command}, ${outcome})`.execute(
    database.db,
  );
const read = async (query: Partial<HistoryQuery> = {}, actor = testOwner) => {
  const page = await history({ limit: 100, ...query }, actor);
  if (isRefusal(page)) throw new Error(page.refused);
  return page;
};
const commandsOf = async (query: Partial<HistoryQuery>, actor = testOwner) =>
  (await read(query, actor)).rows.map(({ command }) => command);

// Guarantee: page by page every command comes once, the newest first, however many share one moment.
test('paging', async () => {
  for (let index = 0; index < 25; index += 1) await given('one', String(index), Math.floor(index / 10));
  await database.pool.query(`update console_commands set at = date_trunc('day', at)`);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: 4, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.rows.map(({ command }) => command));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(25);
  await expect(history({ limit: 4, cursor: 'nonsense' }, testOwner)).rejects.toThrow(
    'This page of the list does not exist',
  );
});

// Guarantee: each filter selects what it says, and a text is searched for literally.
test('filters', async () => {
  await given('one', 'say 100%', 0.1);
  await given('one', 'say 100 times', 0.2, 'api-key:b');
  await given('two', 'LIST', 0.3, 'admin:c', 'timeout');
  expect(await commandsOf({ text: '100%' })).toEqual(['say 100%']);
  expect(await commandsOf({ text: 'list' })).toEqual(['LIST']);
  expect(await commandsOf({ serverId: 'one' })).toEqual(['say 100%', 'say 100 times']);
  expect(await commandsOf({ outcome: 'timeout' })).toEqual(['LIST']);
  expect(await commandsOf({ actor: 'admin' })).toEqual(['say 100%', 'LIST']);
  expect(await commandsOf({ actor: 'api-key:b' })).toEqual(['say 100 times']);
});

// Guarantee: an actor who may see the console of one server sees only that server's history.
test('rights for single servers', async () => {
  await given('one', 'mine', 1);
  await given('two', 'not mine', 1);
  const none = { ...testOwner, permissions: new Set<never>() };
  const actor: Actor = { ...none, serverPermissions: new Map([['one', new Set(['console.read'] as const)]]) };
  expect(await commandsOf({}, actor)).toEqual(['mine']);
  expect(await commandsOf({ serverId: 'one' }, actor)).toEqual(['mine']);
  expect(await history({ limit: 1, serverId: 'two' }, actor)).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await commandsOf({}, none)).toEqual([]);
});

// Guarantee: what is older than the retention is not shown, and is deleted; nothing else is.
test('retention', async () => {
  await given('one', 'old', 31);
  await given('one', 'young', 29);
  expect(await commandsOf({})).toEqual(['young']);
  const { signal } = new AbortController();
  const options = { db: database.db, table: 'console_commands', retentionDays: 30, signal } as const;
  expect(await deleteExpired(options)).toBe(1);
  const left = await database.db.selectFrom('console_commands').select('command').execute();
  expect(left).toEqual([{ command: 'young' }]);
});
