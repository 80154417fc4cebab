import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuditPerson, type AuditRow, auditHttp } from '#contracts/kernel/audit.ts';
import { readMemberNames } from '../../people/members/member-names.ts';
import { readPlayers } from '../../people/players/read-players.ts';
import { ask } from '../testing/ask.ts';
import {
  type FeatureApi,
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
} from '../testing/feature-api.ts';
import { type SqlSession, sqlSession } from '../testing/sql.ts';
import { bindAuditRoutes } from './audit.routes.ts';

let database: MigratedDatabase;
let sql: SqlSession;
let api: FeatureApi;

beforeAll(async () => {
  database = await migratedDatabase();
  sql = await sqlSession(database.url);
  api = await serveFeature((routes) =>
    bindAuditRoutes(routes, {
      db: database.db,
      retentionDays: 365,
      memberNames: (ids) => readMemberNames(database.db, ids),
      findPlayers: (text) => readPlayers(database.db, null, { text, beyond: null, limit: 100 }),
    }),
  );
  await sql.query(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  await sql.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port) values ('s', 'c', 'The Island', 'i', 'minecraft', 1)`,
  );
  await sql.query(
    `insert into admins (id, name, name_key, password_hash) values ('ana', 'Ana now', 'ana', 'x')`,
  );
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await sql[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

interface Written {
  readonly actor?: string;
  readonly name?: string | null;
  readonly action: string;
  readonly target?: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly at?: string;
}

const write = ({ actor = 'admin:ana', name = 'Ana', action, target, before, after, at = 'now()' }: Written) =>
  sql.query(
    `insert into audit_logs (actor, actor_name, action, target, before, after, at)
     values ($1, $2, $3, $4, $5, $6, ${at})`,
    [actor, name, action, target ?? null, JSON.stringify(before ?? null), JSON.stringify(after ?? null)],
  );

const get = async <Answer>(path: string, query: Record<string, string>): Promise<Answer> => {
  const { status, json } = await ask(api.port, `${path}?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json as unknown as Answer;
};
const list = (query: Record<string, string>) =>
  get<{ rows: AuditRow[]; names: Record<string, string> }>(auditHttp.list.path, query);
const people = async (query: Record<string, string> = {}) =>
  (await get<{ people: AuditPerson[] }>(auditHttp.people.path, query)).people;

// Guarantee: ids in a row are shown with their current name, and what is gone with the last name in the log; a nonsense
// id is not an error.
test('names of what rows are about', async () => {
  await write({
    action: 'a.role',
    target: 'role:gone',
    before: { name: 'Helpers' },
    after: { name: 'Guides' },
  });
  await write({ action: 'a.role', target: 'role:gone', before: { name: 'Guides' } });
  const [member] = await sql.query<{ id: string }>('insert into members default values returning id');
  const [player] = await sql.query<{ id: string }>(
    `insert into players (identity, game, name, name_key, member_id) values ('i', 'minecraft', 'Zoë', 'zoe', $1)
     returning id`,
    [member?.id],
  );
  await write({
    action: 'names',
    target: `member:${member?.id}`,
    after: {
      serverIds: ['s', 'unknown'],
      playerId: player?.id,
      lines: [{ productId: 'p' }],
      role: 'gone',
      memberId: `1'; drop table members --`,
      deliveryIds: ['no uuid'],
    },
  });
  const { names } = await list({ action: 'names' });
  expect(names).toEqual({
    [`member:${member?.id}`]: 'Zoë',
    [`player:${player?.id}`]: 'Zoë',
    'server:s': 'The Island',
    'role:gone': 'Guides',
  });
});

// Guarantee: the name of a person who is gone is not taken from older rows.
test('names of persons who are gone', async () => {
  await write({ action: 'before', target: 'member:987654', after: { name: 'Ophelia' } });
  await write({ action: 'after', target: 'member:987654' });
  expect((await list({ action: 'after' })).names).toEqual({});
});

// Guarantee: a server's filter finds what was done to it and what was done on it, in each form in which rows say so,
// and nothing else.
test('what was done on a server', async () => {
  await write({ action: 'on.target', target: 'server:x' });
  await write({ action: 'on.field', target: 'player:1', after: { serverId: 'x' } });
  await write({ action: 'on.before', target: 'player:1', before: { serverId: 'x' } });
  await write({
    action: 'on.list',
    target: 'console-run:1',
    after: { command: 'list', servers: ['y', 'x'] },
  });
  await write({
    action: 'on.others',
    target: 'server:xx',
    after: { servers: [{ id: 'x' }], serverIds: 'x' },
  });
  await write({ action: 'on.array', target: null, after: ['x'] });
  const { rows } = await list({ serverId: 'x' });
  expect(rows.map(({ action }) => action)).toEqual(['on.list', 'on.before', 'on.field', 'on.target']);
});

// Guarantee: everyone who did something can be chosen, once, by their current name; those who are gone are marked;
// players are listed only when searched for, and no one whose acts have expired is listed.
test('who can be chosen', async () => {
  await write({ actor: 'admin:bob', name: 'Bob', action: 'x' });
  await write({ actor: 'api-key:k', name: 'Stats', action: 'x' });
  await write({ actor: 'bot:main', name: 'bot', action: 'x' });
  await write({ actor: 'desktop:one', name: 'PC', action: 'x' });
  await write({ actor: 'desktop:two', name: 'Laptop', action: 'x' });
  await write({ actor: 'discord:1', name: 'Zoë in Discord', action: 'x' });
  await write({ actor: 'operator', name: null, action: 'x' });
  await write({ actor: 'admin:old', name: 'Long ago', action: 'x', at: `now() - interval '366 days'` });
  const [zoe] = await sql.query<{ id: string }>(`select id from players where name = 'Zoë'`);
  await sql.query(
    `insert into player_names (player_id, name, name_key) values ($1, 'Zoë', 'zoë') on conflict do nothing`,
    [zoe?.id],
  );
  await sql.query(`insert into player_sessions (player_id, server_id, handle) values ($1, 's', '')`, [
    zoe?.id,
  ]);
  await write({ actor: `player:${zoe?.id}`, name: 'Zoë', action: 'x' });

  const all = await people();
  expect(all.map(({ actor, name, isRemoved }) => [actor, name, isRemoved]).sort()).toEqual([
    ['admin:ana', 'Ana now', false],
    ['admin:bob', 'Bob', true],
    ['api-key:k', 'Stats', true],
    ['bot', null, false],
    ['desktop', null, false],
    ['discord:1', 'Zoë in Discord', false],
    ['operator', null, false],
  ]);
  expect((await people({ text: 'ZOË' })).map(({ actor }) => actor).sort()).toEqual([
    'discord:1',
    `player:${zoe?.id}`,
  ]);
  expect(await people({ actor: 'desktop' })).toMatchObject([{ actor: 'desktop', name: null }]);
  expect(await people({ actor: `player:${zoe?.id}` })).toMatchObject([{ name: 'Zoë', isRemoved: false }]);
  expect(await people({ actor: 'admin:nobody' })).toEqual([]);
});
