import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { freePort } from '#harness/ports.ts';
import { startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { createClusters } from './clusters.ts';
import { type ConnectionTest, createConnectionTest } from './connection-test.ts';
import { createGameServers } from './game-servers.ts';
import { testSecrets } from './testing/test-secrets.ts';

let database: MigratedDatabase;
let owned: AsyncDisposableStack;
let game: Awaited<ReturnType<typeof startMinecraft>>;
let nowMs: number;
let testConnection: ConnectionTest;

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  database = owned.use(await migratedDatabase());
  game = owned.use(await startMinecraft());
  nowMs = 0;
  testConnection = createConnectionTest({ db: database.db, secrets: testSecrets(), now: () => nowMs });
});
afterEach(() => owned.disposeAsync());

const by = { actor: testOwner, address: '::1' };
const tryOut = (more: object = {}, actor: Actor = testOwner) =>
  testConnection(
    { game: 'minecraft', host: '127.0.0.1', port: game.port, password: game.password, ...more },
    actor,
  );
const storedServer = async (): Promise<string> => {
  const clusters = createClusters({ db: database.db, maxClusters: () => null });
  const cluster = await clusters.create({ name: 'c', description: '' }, by);
  const servers = createGameServers({ db: database.db, secrets: testSecrets() });
  const { port, password } = game;
  const clusterId = 'id' in cluster ? cluster.id : '';
  const made = await servers.create(
    { clusterId, name: 's', game: 'minecraft', host: '127.0.0.1', port, password },
    by,
  );
  return 'id' in made ? made.id : '';
};

// Guarantee: a console that answers is reported with who is online; any fault is reported in helpful words, without the password.
test('what is found', async () => {
  game.world.join('Steve');
  expect(await tryOut()).toMatchObject({ outcome: 'answered', players: 1, latencyMs: expect.any(Number) });
  const banner = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')).listen(0, '127.0.0.1');
  await once(banner, 'listening');
  const closed = await freePort();
  const cases = [
    ['authentication failed', { password: 'a wrong one' }],
    ['connection refused', { port: closed }],
    ['wrong protocol', { port: (banner.address() as AddressInfo).port }],
  ] as const;
  for (const [outcome, more] of cases) {
    const report = await tryOut(more);
    expect(report).toMatchObject({ outcome, players: null, latencyMs: null });
    expect(JSON.stringify(report)).not.toMatch(new RegExp(`a wrong one|${game.password}`));
    expect('detail' in report && report.detail?.length).toBeGreaterThan(20);
  }
  banner.close();
});

// Guarantee: a port that accepts connections but stays silent ends the test within its ten seconds.
test('silence', async () => {
  game.quirks.accept = 'silence';
  const beganMs = performance.now();
  expect(await tryOut()).toMatchObject({ outcome: 'timeout' });
  expect(performance.now() - beganMs).toBeLessThan(10_500);
});

// Guarantee: the stored password is used only for the stored host and port, and only by those who may change that server.
test('the stored password', async () => {
  const serverId = await storedServer();
  const stored = { serverId, password: undefined };
  expect(await tryOut(stored)).toMatchObject({ outcome: 'answered' });
  const catcher = owned.use(await startMinecraft());
  expect(await tryOut({ ...stored, port: catcher.port })).toMatchObject({
    refused: 'INVALID_REQUEST',
    detail: expect.stringContaining('body.password'),
  });
  expect(catcher.accepted).toBe(0);
  expect(await tryOut({ ...stored, serverId: 'nowhere' })).toMatchObject({ refused: 'NOT_FOUND' });
  const write = new Set<Permission>(['servers.write']);
  const onServer = (id: string): Actor => ({
    ...testOwner,
    permissions: new Set(),
    serverPermissions: new Map([[id, write]]),
  });
  expect(await tryOut(stored, onServer(serverId))).toMatchObject({ outcome: 'answered' });
  expect(await tryOut(stored, onServer('other'))).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await tryOut({}, onServer(serverId))).toMatchObject({ refused: 'FORBIDDEN' });
  const lost = createConnectionTest({ db: database.db, secrets: testSecrets('1') });
  const { host, port } = { host: '127.0.0.1', port: game.port };
  await expect(lost({ game: 'minecraft', host, port, serverId }, testOwner)).rejects.toMatchObject({
    code: 'SECRET_UNREADABLE',
  });
});

// Guarantee: no one can scan a network with it: each caller gets thirty tests a minute.
test('the rate', async () => {
  const port = await freePort();
  for (let index = 0; index < 30; index += 1)
    expect(await tryOut({ port })).toMatchObject({ outcome: 'connection refused' });
  expect(await tryOut({ port })).toMatchObject({ refused: 'RATE_LIMITED', retryAfterMs: 2000 });
  expect(await tryOut({ port }, { ...testOwner, id: 'other' })).toMatchObject({
    outcome: 'connection refused',
  });
  nowMs += 2000;
  expect(await tryOut({ port })).toMatchObject({ outcome: 'connection refused' });
});
