import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Permission } from '#contracts/permissions.ts';
import type { Actor } from '../access/actor.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../testing/feature-api.ts';
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
const create = async (name: string, more: { host?: string; port?: number; password?: string } = {}) =>
  servers.create({ clusterId, name, game: 'minecraft', host: 'game.example', ...more }, by);
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
  const made = await Promise.all(['Island', 'island', 'ISLAND'].map((name) => create(name)));
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
  const other = granted(await create('ONE'));
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
