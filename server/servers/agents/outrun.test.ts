import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { createSecrets } from '../../kernel/secrets/secrets.ts';
import { type MigratedDatabase, migratedDatabase, testOwner } from '../../kernel/testing/feature-api.ts';
import { createAgentCommands } from './agent-commands.ts';
import type { AgentLink } from './agent-session.ts';
import { createCommandRows } from './command-rows.ts';
import {
  agentIdentity,
  askNonce,
  connectSocket,
  framesOf,
  greetSocket,
  helloOf,
  joinSocket,
  poll,
} from './testing/scripted-agent.ts';
import {
  startTestGateway,
  type TestServers,
  testEncryptionKey,
  testServers,
} from './testing/test-gateway.ts';

let database: MigratedDatabase;
let servers: TestServers;

beforeAll(async () => {
  database = await migratedDatabase();
  servers = await testServers(database);
});
afterAll(() => database[Symbol.asyncDispose]());

const by = { actor: testOwner, address: '127.0.0.1' };

/** Locks a table so that no one can write it until it is released. */
const holdTable = async (table: string) => {
  const client = await database.pool.connect();
  await client.query(`begin; lock table ${table} in share mode`);
  return async () => {
    await client.query('commit');
    client.release();
  };
};
const isWaitedFor = async () => {
  // Only locks of this database: other databases of the run have their own.
  const { rows } = await database.pool.query(
    `select 1 from pg_locks where not granted
      and database = (select oid from pg_database where datname = current_database())`,
  );
  expect(rows).not.toEqual([]);
};

// Guarantee: an agent that is replaced, or whose server is archived, while it is being let in, is not let in.
test('outrun on the way in', async () => {
  await using api = await startTestGateway({ database, servers });
  await servers.add('archived');
  const archived = agentIdentity('archived');
  (await joinSocket(api.port, archived)).socket.terminate();
  await eventually(() => expect(api.gateway.reading('archived')?.mode).toBeNull());
  const letGo = await holdTable('game_agents');
  using late = await greetSocket(api.port, { ...archived, journal: 'another' });
  await eventually(isWaitedFor);
  servers.inUse.delete('archived');
  api.gateway.forget('archived');
  await letGo();
  expect((await late.next('refused')).code).toBe('AGENT_SERVER_UNKNOWN');

  await servers.add('replaced');
  const replaced = agentIdentity('replaced');
  (await joinSocket(api.port, replaced)).socket.terminate();
  await eventually(() => expect(api.gateway.reading('replaced')?.mode).toBeNull());
  const letGoToo = await holdTable('game_agents');
  using old = await greetSocket(api.port, { ...replaced, journal: 'another' });
  await eventually(isWaitedFor);
  const replacing = api.gateway.replace('replaced', by);
  await letGoToo();
  await replacing;
  expect((await old.next('refused')).code).toBe('AGENT_KEY_MISMATCH');
  expect(api.gateway.isPresent('replaced')).toBe(false);
});

// Guarantee: a command for a server that is archived while the command is being written ends immediately, and leaves nothing.
test('archived while a command is written down', async () => {
  await using api = await startTestGateway({ database, servers });
  await servers.add('leaving');
  const letGo = await holdTable('agent_commands');
  const patience = { timeoutMs: 20_000, expiresInMs: 20_000 };
  const running = api.gateway.run('leaving', 'list', { id: 'leaving', ...patience });
  await eventually(isWaitedFor);
  servers.inUse.delete('leaving');
  api.gateway.forget('leaving');
  expect(await running).toMatchObject({ outcome: 'cancelled', sent: false });
  await letGo();
  await eventually(async () => {
    const { rows } = await database.pool.query(`select id, result from agent_commands where id = 'leaving'`);
    expect(rows).toEqual([]);
  });
});

// Guarantee: before the agents are loaded no one is told that one was replaced.
test('replacing too early', async () => {
  await using api = await startTestGateway({ database, servers, isUnprepared: true });
  await servers.add('early');
  await expect(api.gateway.replace('early', by)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
});

// Guarantee: a poll that comes as the API stops is not held until someone cuts it.
test('a poll into the shutdown', async () => {
  const api = await startTestGateway({ database, servers });
  await servers.add('stopping');
  const identity = agentIdentity('stopping');
  const nonce = await askNonce(api.port);
  const letGo = await holdTable('game_agents');
  const polled = poll(api.port, identity, { nonce, hold: true });
  await eventually(isWaitedFor);
  const stopping = api.gateway[Symbol.asyncDispose]();
  await letGo();
  await stopping;
  expect(await polled).toMatchObject({ status: 503, json: { code: 'SHUTTING_DOWN' } });
  await api[Symbol.asyncDispose]();
});

// Guarantee: text that no database takes as JSON is repaired in a polled hello, too.
test('a hostile hello', async () => {
  await using api = await startTestGateway({ database, servers });
  await servers.add('hostile');
  const changes = { agentVersion: 'a\ud800b' };
  expect(framesOf(await poll(api.port, agentIdentity('hostile'), { changes }))[0]?.type).toBe('welcome');
  expect(api.gateway.reading('hostile')?.version).toBe('a\ufffdb');
  expect(api.told.at(-1)?.payload).toMatchObject({ version: 'a\ufffdb' });
});

// Guarantee: a hello that was answered does not allow a second one on the same connection.
test('frames before the welcome', async () => {
  await using api = await startTestGateway({ database, servers });
  await servers.add('hasty');
  const identity = agentIdentity('hasty');
  using agent = await connectSocket(api.port);
  const { nonce } = await agent.next('challenge');
  agent.send(helloOf(identity, nonce));
  agent.heartbeat(1);
  agent.heartbeat(2);
  await agent.next('welcome');
  expect((await agent.next('ack')).heartbeat).toBe(1);
  expect((await agent.next('ack')).heartbeat).toBe(2);
});

// Guarantee: what arrives right after the end of one hand-over is handed over, too.
test('two hand-overs in one breath', async () => {
  await servers.add('pumped');
  const sent: string[] = [];
  const link = {
    isReady: true,
    isOpen: true,
    send: (frame: { id?: string }) => sent.push(String(frame.id)),
  } as unknown as AgentLink;
  const commands = createAgentCommands({
    rows: createCommandRows(database.db, createSecrets([new Secret(testEncryptionKey)])),
    linkOf: () => link,
    now: () => performance.now(),
    graceMs: 100,
    retryMs: 50,
    log: { warn: () => undefined } as never,
  });
  const running = commands.run('pumped', 'list', { id: 'p1', timeoutMs: 20_000, expiresInMs: 20_000 });
  await eventually(() => expect(sent).toEqual(['p1']));
  const idle = commands.pump('pumped');
  commands.sendAgain('pumped', link);
  await commands.pump('pumped');
  await idle;
  expect(sent).toEqual(['p1', 'p1']);
  commands[Symbol.dispose]();
  await expect(running).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
});

// Guarantee: a command that was called off while the database was unavailable is not sent after a restart.
test('called off while the database is away', async () => {
  await servers.add('off');
  let isAway = false;
  const rows = createCommandRows(database.db, createSecrets([new Secret(testEncryptionKey)]));
  const commands = createAgentCommands({
    rows: {
      ...rows,
      async remove(...which) {
        if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
        await rows.remove(...which);
      },
    },
    linkOf: () => null,
    now: () => performance.now(),
    graceMs: 100,
    retryMs: 20,
    log: { warn: () => undefined } as never,
  });
  const aborting = new AbortController();
  const { signal } = aborting;
  const patience = { timeoutMs: 20_000, expiresInMs: 20_000, signal };
  const running = commands.run('off', 'stop', { id: 'off1', ...patience });
  const waiting = async () => (await rows.loadWaiting()).filter(({ id }) => id === 'off1');
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  isAway = true;
  aborting.abort();
  expect(await running).toMatchObject({ outcome: 'cancelled', sent: false });
  expect(await waiting()).toHaveLength(1);
  isAway = false;
  await eventually(async () => expect(await waiting()).toEqual([]));
  commands[Symbol.dispose]();
});
