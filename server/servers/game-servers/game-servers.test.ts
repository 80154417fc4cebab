import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { createClusters } from './clusters.ts';
import type { StoredGameServer } from './game-server-rows.ts';
import { createGameServers, type GameServers } from './game-servers.ts';
import { rconPasswordColumn } from './rcon-password.ts';
import { testSecrets } from './testing/test-secrets.ts';

let database: MigratedDatabase;
let servers: GameServers;
let clusterId: string;
const secrets = testSecrets();
const by = { actor: { ...testOwner, steppedUp: true }, address: '::1' };

beforeEach(async () => {
  database = await migratedDatabase();
  servers = createGameServers({ db: database.db, secrets });
  clusterId = await newCluster('first');
});
afterEach(() => database[Symbol.asyncDispose]());

const newCluster = async (name: string): Promise<string> => {
  const clusters = createClusters({ db: database.db, maxClusters: () => null });
  const made = await clusters.create({ name, description: '' }, by);
  if (isRefusal(made)) throw new Error(made.refused);
  return made.id;
};
const granted = (result: StoredGameServer | Refusal): StoredGameServer => {
  if (isRefusal(result)) throw new Error(`${result.refused} ${result.detail}`);
  return result;
};
const create = async (
  name: string,
  more: { host?: string | null; port?: number; password?: string } = {},
  as = by,
) => servers.create({ clusterId, name, game: 'minecraft', host: `${name}.example`, ...more }, as);
const onServer = (serverId: string, ...names: Permission[]): Actor => ({
  ...testOwner,
  permissions: new Set(),
  serverPermissions: new Map([[serverId, new Set(names)]]),
});
const storedPassword = async (id: string): Promise<string | null> => {
  const { password } = await database.db
    .selectFrom('game_servers')
    .select('password')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (password === null) return null;
  const opened = secrets.open(rconPasswordColumn, [id], password);
  return opened.outcome === 'open' ? opened.secret.reveal() : opened.fault;
};

// Guarantee: a password is sealed in its own row, is shown to no one, and appears in no audit row.
test('the password is write-only', async () => {
  const made = granted(await create('one', { password: 'a secret of the game' }));
  expect(made).toMatchObject({ hasPassword: true, port: 25_575, version: 1 });
  expect(await storedPassword(made.id)).toBe('a secret of the game');
  const changed = await servers.change(made.id, { version: 1, password: 'another secret' }, by);
  expect(await storedPassword(made.id)).toBe('another secret');
  const cleared = granted(await servers.change(made.id, { version: 2, password: '' }, by));
  expect(cleared).toMatchObject({ hasPassword: false, version: 3 });
  expect(await storedPassword(made.id)).toBeNull();
  const rows = await database.db.selectFrom('audit_logs').selectAll().orderBy('id').execute();
  const text = JSON.stringify([
    made,
    changed,
    cleared,
    await servers.list({ archived: true }, testOwner),
    rows,
  ]);
  expect(text).not.toContain('secret');
  expect(rows.map(({ after }) => (after as { password?: string }).password)).toEqual([
    undefined,
    undefined,
    'changed',
    'cleared',
  ]);
});

// Guarantee: no detour sends a stored password to a host or port other than the one it was entered for.
test('a stored password stays where it belongs', async () => {
  const { id } = granted(await create('one', { host: 'GAME.example', password: 'secret' }));
  const change = (version: number, more: object) => servers.change(id, { version, ...more }, by);
  for (const more of [{ host: 'evil.example' }, { port: 4444 }, { host: '[::1]' }])
    expect(await change(1, more)).toMatchObject({
      refused: 'INVALID_REQUEST',
      detail: expect.stringContaining('body.password'),
    });
  expect(granted(await change(1, { host: 'game.EXAMPLE', port: 25_575 })).version).toBe(1);
  expect(granted(await change(1, { host: null })).host).toBeNull();
  expect(await change(2, { host: 'evil.example' })).toMatchObject({ refused: 'INVALID_REQUEST' });
  expect(granted(await change(2, { host: '[::1]', password: 'new' }))).toMatchObject({ host: '::1' });
  expect(granted(await change(3, { port: 4444, password: '' })).hasPassword).toBe(false);
  expect(granted(await change(4, { host: 'anywhere.example' })).version).toBe(5);
});

// Guarantee: of several changes from the same version, one is saved; of several servers with the same name, one is created.
test('at the same moment', async () => {
  const made = await Promise.all(
    ['Island', 'island', 'ISLAND'].map((name, at) => create(name, { port: 4000 + at })),
  );
  expect(made.filter(isRefusal)).toMatchObject([{ refused: 'NAME_TAKEN' }, { refused: 'NAME_TAKEN' }]);
  const [server] = await servers.list({ archived: false }, testOwner);
  const id = server?.id ?? '';
  const results = await Promise.all([1, 2, 3].map((port) => servers.change(id, { version: 1, port }, by)));
  expect(results.filter(isRefusal)).toMatchObject([{ refused: 'CONFLICT' }, { refused: 'CONFLICT' }]);
});

// Guarantee: archived servers can be read but not changed; they are restored only into a cluster in use and under a free name.
test('the archive', async () => {
  const { id } = granted(await create('one'));
  expect(granted(await servers.archive(id, by)).archivedAt).not.toBeNull();
  expect(granted(await servers.archive(id, by)).version).toBe(2);
  expect(await servers.change(id, { version: 2, name: 'x' }, by)).toMatchObject({
    refused: 'SERVER_ARCHIVED',
  });
  expect(await servers.list({ archived: false }, testOwner)).toEqual([]);
  expect(await servers.list({ archived: true }, testOwner)).toMatchObject([{ id }]);
  const other = granted(await create('ONE', { port: 4001 }));
  expect(await servers.restore(id, by)).toMatchObject({ refused: 'NAME_TAKEN' });
  granted(await servers.archive(other.id, by));
  const clusters = createClusters({ db: database.db, maxClusters: () => null });
  await clusters.archive(clusterId, by);
  expect(await servers.restore(id, by)).toMatchObject({ refused: 'SERVER_ARCHIVED' });
  await clusters.restore(clusterId, by);
  expect(granted(await servers.restore(id, by)).archivedAt).toBeNull();
});

// Guarantee: people see and change only the servers they have permissions for, and learn of no others.
test('rights for single servers', async () => {
  const one = granted(await create('one'));
  const two = granted(await create('two'));
  const reader = onServer(one.id, 'servers.read');
  expect((await servers.list({ archived: false }, reader)).map(({ id }) => id)).toEqual([one.id]);
  expect(await servers.read(two.id, reader)).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await servers.read('nowhere', reader)).toMatchObject({ refused: 'FORBIDDEN' });
  const writer = { ...by, actor: onServer(one.id, 'servers.write') };
  expect(granted(await servers.change(one.id, { version: 1, name: 'uno' }, writer)).name).toBe('uno');
  for (const result of [
    await servers.change(one.id, { version: 2, clusterId: await newCluster('second') }, writer),
    await servers.change(two.id, { version: 1, name: 'dos' }, writer),
    await servers.archive(two.id, writer),
    await servers.create({ clusterId, name: 'three', game: 'ark-se', host: null }, writer),
    await servers.change(one.id, { version: 2, name: 'x' }, { ...by, actor: reader }),
  ])
    expect(result).toMatchObject({ refused: 'FORBIDDEN' });
});

// Guarantee: a server moves only into a cluster that exists and is in use.
test('moving', async () => {
  const { id } = granted(await create('one'));
  const other = await newCluster('second');
  const move = (version: number, to: string) => servers.change(id, { version, clusterId: to }, by);
  expect(await move(1, 'nowhere')).toMatchObject({ refused: 'NOT_FOUND' });
  expect(granted(await move(1, other)).clusterId).toBe(other);
  await createClusters({ db: database.db, maxClusters: () => null }).archive(clusterId, by);
  expect(await move(2, clusterId)).toMatchObject({ refused: 'SERVER_ARCHIVED' });
});

const archived = async (id: string) => granted(await servers.archive(id, by));
const taken = { refused: 'SERVER_ADDRESS_TAKEN' };

// Guarantee: a game server is not added twice, however its address is written, and the refusal names the server that has it.
test.each([
  ['Game.Example', ['game.example', 'GAME.EXAMPLE', 'game.example.']],
  ['127.0.0.1', ['localhost', 'LOCALHOST.', '::1', '[::1]', '::ffff:127.0.0.1', '127.1', '0:0:0:0:0:0:0:1']],
  ['203.0.113.7', ['::ffff:203.0.113.7', '[::FFFF:cb00:7107]']],
  ['2001:db8::1', ['[2001:DB8:0:0::1]', '2001:0db8::0001']],
])('the address %s', async (host, others) => {
  granted(await create('one', { host }));
  for (const other of others)
    expect([other, await create('two', { host: other })]).toEqual([
      other,
      expect.objectContaining({ ...taken, fault: expect.objectContaining({ values: ['one'] }) }),
    ]);
  for (const [name, more] of Object.entries({
    a: { host, port: 4001 },
    b: { host: '127.0.0.2' },
    c: { host: null },
    d: { host: null },
  }))
    granted(await create(name, more));
});

// Guarantee: of two people who add one server at the same time, one is refused; so is who moves or restores a server to its address.
test('an address that another server has', async () => {
  const both = await Promise.all([
    create('one', { host: 'localhost' }),
    create('two', { host: '127.0.0.1' }),
  ]);
  expect(both.filter(isRefusal)).toMatchObject([taken]);
  const [first] = await servers.list({ archived: false }, testOwner);
  const other = granted(await create('three'));
  const host = '::1';
  expect(await servers.change(other.id, { version: 1, host }, by)).toMatchObject(taken);
  const writer = { ...by, actor: { ...onServer(other.id, 'servers.write'), steppedUp: true } };
  const refusal = await servers.change(other.id, { version: 1, host }, writer);
  expect(refusal).toMatchObject(taken);
  expect(JSON.stringify(refusal)).not.toMatch(/one|two/);
  await archived(first?.id ?? '');
  expect(granted(await servers.change(other.id, { version: 1, host }, by)).host).toBe('::1');
  expect(await servers.restore(first?.id ?? '', by)).toMatchObject(taken);
});

// Guarantee: duplicates from an older release can be used and changed as before, but not moved onto a third one.
test('old duplicates', async () => {
  const one = granted(await create('one', { host: 'a.example' }));
  const two = granted(await create('two', { host: 'b.example' }));
  await database.db.updateTable('game_servers').set({ host: 'a.example' }).where('id', '=', two.id).execute();
  expect(granted(await servers.change(two.id, { version: 1, name: 'zwei' }, by)).name).toBe('zwei');
  expect(granted(await servers.change(one.id, { version: 1, password: 'new' }, by)).hasPassword).toBe(true);
  granted(await create('three', { host: 'c.example' }));
  expect(await servers.change(two.id, { version: 2, host: 'c.example' }, by)).toMatchObject(taken);
});
