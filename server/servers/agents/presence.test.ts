import { expect, test } from 'vitest';
import { agentsHealth, gameAgentStatus, healthHttp } from '#contracts/operations/health.ts';
import { type AgentFrame, agentCloseCodes } from '#contracts/servers/agent-protocol.ts';
import { agentsHttp } from '#contracts/servers/agents.ts';
import { eventually } from '#harness/eventually.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { agentsHealthOf } from './agent-view.ts';
import { gatewayForThisFile } from './testing/gateway-of-a-test.ts';
import { type AgentIdentity, joinSocket, poll } from './testing/scripted-agent.ts';
import { startTestGateway, type TestGateway } from './testing/test-gateway.ts';

const v = 1 as const;
const { api, database, servers, newIdentity } = await gatewayForThisFile();

const kindsOf = ({ told }: TestGateway, { serverId }: AgentIdentity) =>
  told.filter((event) => event.serverId === serverId).map(({ kind }) => kind);
const chat = (...numbers: number[]): AgentFrame => ({
  v,
  type: 'events',
  events: numbers.map((number) => ({
    number,
    kind: 'chat',
    player: { name: 'Ann', platformId: null },
    text: `t${number}`,
    ageMs: 1e300,
  })),
});

// Guarantee: an agent that is silent beyond its tolerance is stale, is reported once, and recovers when it is back.
test.each(['websocket', 'polling'] as const)('stale: %s', async (mode) => {
  const tolerance = { websocket: 400, polling: 400 };
  await using quick = await startTestGateway({ database, servers, timing: { stale: tolerance } });
  const identity = await newIdentity();
  const reading = () => quick.gateway.reading(identity.serverId);
  if (mode === 'polling') expect((await poll(quick.port, identity)).status).toBe(200);
  else {
    using agent = await joinSocket(quick.port, identity);
    expect((await agent.closed).code).toBe(agentCloseCodes.timedOut);
  }
  await eventually(() => expect(reading()).toMatchObject({ stale: true, mode: null }));
  expect(quick.gateway.isPresent(identity.serverId)).toBe(false);
  expect(quick.gateway.isKnown(identity.serverId)).toBe(true);
  const health = agentsHealth.parse((await ask(quick.port, healthHttp.agents.path)).json);
  expect(health.status).toBe('degraded');
  expect(health.agents.find(({ serverId }) => serverId === identity.serverId)).toMatchObject({ stale: true });
  expect(
    gameAgentStatus.parse((await ask(quick.port, healthHttp.gameAgent.path)).json).stale,
  ).toBeGreaterThan(0);
  // From now on it must not fall silent, however long the test takes to look.
  tolerance.websocket = 60_000;
  using _back = await joinSocket(quick.port, identity);
  expect(reading()).toMatchObject({ stale: false, mode: 'websocket' });
  expect(kindsOf(quick, identity)).toEqual([
    'agent.pinned',
    'agent.connected',
    'agent.stale',
    'agent.connected',
  ]);
});

// Guarantee: heartbeats keep an agent present, are acknowledged by number, and report who is on the server.
test('heartbeats', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  agent.heartbeat(1, ['Ann', 'Bob']);
  expect(await agent.next('ack')).toMatchObject({ heartbeat: 1, events: null });
  agent.heartbeat(2);
  expect((await agent.next('ack')).heartbeat).toBe(2);
  const own = api.observed.players.filter(([serverId]) => serverId === identity.serverId);
  expect(own.map(([, { players }]) => players?.map(({ name }) => name) ?? null)).toEqual([
    ['Ann', 'Bob'],
    null,
  ]);
});

// Guarantee: a change is reported when the game's state or its detail changes, and repeating them is not a change.
test('changes by heartbeats', async () => {
  const identity = await newIdentity();
  using agent = await joinSocket(api.port, identity);
  const changes = async (number: number, state: 'online' | 'offline', detail: string | null) => {
    const before = api.observed.changed.length;
    agent.send({ v, type: 'heartbeat', number, state, detail });
    await agent.next('ack');
    return api.observed.changed.slice(before).filter((serverId) => serverId === identity.serverId).length;
  };
  expect(await changes(1, 'online', null)).toBe(1);
  expect(await changes(2, 'online', null)).toBe(0);
  expect(await changes(3, 'offline', null)).toBe(1);
  expect(await changes(4, 'offline', 'refused')).toBe(1);
  expect(await changes(5, 'offline', 'refused')).toBe(0);
});

// Guarantee: a short loss of the connection is not news, and neither is a restart of the API.
test('short losses', async () => {
  const identity = await newIdentity();
  const first = await joinSocket(api.port, identity);
  first.socket.terminate();
  await eventually(() => expect(api.gateway.isPresent(identity.serverId)).toBe(false));
  using _second = await joinSocket(api.port, identity);
  expect(kindsOf(api, identity)).toEqual(['agent.pinned', 'agent.connected']);
  await using restarted = await startTestGateway({ database, servers });
  expect(restarted.gateway.reading(identity.serverId)).toMatchObject({ stale: false, mode: null });
  using _third = await joinSocket(restarted.port, identity);
  expect(kindsOf(restarted, identity)).toEqual([]);
});

// Guarantee: events are written at least once and acknowledged only then; repeated ones are dropped, even after a
// restart; another journal counts from the start again.
test('events', async () => {
  const identity = await newIdentity();
  const numbers = (gateway: TestGateway) =>
    gateway.observed.events
      .filter(({ serverId }) => serverId === identity.serverId)
      .map(({ number }) => number);
  {
    using agent = await joinSocket(api.port, identity);
    agent.send(chat(1, 2));
    expect((await agent.next('ack')).events).toBe(2);
    agent.send(chat(2, 1, 4, 3));
    expect((await agent.next('ack')).events).toBe(4);
    expect(numbers(api)).toEqual([1, 2, 3, 4]);
  }
  await using restarted = await startTestGateway({ database, servers });
  using again = await joinSocket(restarted.port, identity);
  again.send(chat(4, 5));
  expect((await again.next('ack')).events).toBe(5);
  expect(numbers(restarted)).toEqual([5]);
  using renewed = await joinSocket(restarted.port, { ...identity, journal: 'a-new-one' });
  renewed.send(chat(1));
  expect((await renewed.next('ack')).events).toBe(1);
  expect(numbers(restarted)).toEqual([5, 1]);
});

// Guarantee: events that still wait to be written when another process of the agent connects are dropped. Under its
// numbering they would make its first events look known.
test('events of a process that is gone', async () => {
  const identity = await newIdentity();
  const first = Promise.withResolvers<void>();
  await using slow = await startTestGateway({ database, servers, onEvents: () => first.promise });
  using one = await joinSocket(slow.port, identity);
  one.send(chat(1));
  one.heartbeat(1);
  await one.next('ack');
  using reconnected = await joinSocket(slow.port, identity);
  reconnected.send(chat(2, 3));
  reconnected.heartbeat(1);
  await reconnected.next('ack');
  using renewed = await joinSocket(slow.port, { ...identity, journal: 'of-another-process' });
  renewed.send(chat(1));
  renewed.heartbeat(1);
  expect((await renewed.next('ack')).heartbeat).toBe(1);

  first.resolve();
  expect(await renewed.next('ack')).toMatchObject({ heartbeat: null, events: 1 });
  expect(slow.observed.events.map(({ number }) => number)).toEqual([1, 1]);
});

// Guarantee: while the database is unavailable nothing is acknowledged as written, heartbeats continue, and everything is caught up later.
test('a database that is away', async () => {
  const identity = await newIdentity();
  let isAway = true;
  await using troubled = await startTestGateway({
    database,
    servers,
    onEvents: async () => {
      if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    },
  });
  using agent = await joinSocket(troubled.port, identity);
  agent.send(chat(1));
  agent.heartbeat(1);
  expect(await agent.next('ack')).toMatchObject({ heartbeat: 1, events: null });
  const polled = await poll(troubled.port, { ...(await newIdentity()) }, { frames: [chat(1)] });
  expect(polled).toMatchObject({ status: 503, json: { code: 'DATABASE_UNAVAILABLE' } });
  isAway = false;
  expect(await agent.next('ack')).toMatchObject({ heartbeat: null, events: 1 });
});

// Guarantee: lines arrive only while someone watches, also over a new connection.
test('watching', async () => {
  const identity = await newIdentity();
  const line = (text: string): AgentFrame => ({ v, type: 'lines', lines: [{ text, ageMs: 0 }] });
  const first = await joinSocket(api.port, identity);
  first.send(line('unasked'));
  first.heartbeat(1);
  await first.next('ack');
  api.gateway.watch(identity.serverId, 60);
  expect((await first.next('watch')).seconds).toBe(60);
  first.socket.terminate();
  using second = await joinSocket(api.port, identity);
  expect((await second.next('watch')).seconds).toBeGreaterThan(0);
  second.send(line('asked'));
  await eventually(() => expect(api.observed.lines).toEqual(['asked']));
});

// Guarantee: when the license is rejected every agent is sent away with its code, and no event reports it.
test('closing all', async () => {
  const tolerance = { websocket: 60_000, polling: 60_000 };
  await using closing = await startTestGateway({ database, servers, timing: { stale: tolerance } });
  const identity = await newIdentity();
  using agent = await joinSocket(closing.port, identity);
  closing.gateway.closeAll(agentCloseCodes.licenseRejected, 'REVOKED');
  expect(await agent.closed).toEqual({ code: agentCloseCodes.licenseRejected, reason: 'REVOKED' });
  tolerance.websocket = 50;
  await eventually(() => expect(closing.gateway.reading(identity.serverId)?.stale).toBe(true));
  tolerance.websocket = 60_000;
  using _back = await joinSocket(closing.port, identity);
  expect(kindsOf(closing, identity)).toEqual(['agent.pinned', 'agent.connected']);
});

// Guarantee: the last-seen time is written without a statement for each heartbeat.
test('last seen', async () => {
  const identity = await newIdentity();
  const seen = async () =>
    (await database.pool.query('select * from game_agents where server_id = $1', [identity.serverId]))
      .rows[0];
  await using flushing = await startTestGateway({ database, servers, timing: { flush: 50 } });
  expect((await poll(flushing.port, identity)).status).toBe(200);
  await eventually(async () => expect(await seen()).toMatchObject({ mode: 'polling' }));
  using _agent = await joinSocket(flushing.port, identity);
  await eventually(async () =>
    expect(await seen()).toMatchObject({ mode: 'websocket', address: '127.0.0.1' }),
  );
});

// Guarantee: the list shows every server in use, with or without an agent.
test('the list', async () => {
  const identity = await newIdentity();
  const { json } = await call(api.port, agentsHttp.list);
  const { rows } = agentsHttp.list.response.parse(json);
  expect(rows.find(({ serverId }) => serverId === identity.serverId)).toMatchObject({
    mode: null,
    stale: false,
    keyFingerprint: null,
    waitingCommands: 0,
  });
  const params = { serverId: identity.serverId };
  expect((await call(api.port, agentsHttp.replace, { params })).json).toMatchObject(params);
  expect((await call(api.port, agentsHttp.replace, { params: { serverId: 'none' } })).status).toBe(404);
});

// Guarantee: of many silent agents three are named, and the rest are counted.
test('health in words', () => {
  const silent = (serverName: string) => ({
    serverId: serverName,
    serverName,
    mode: null,
    lastSeenAt: null,
    stale: true,
  });
  expect(agentsHealthOf(['A', 'B', 'C', 'D', 'E'].map(silent))).toEqual({
    status: 'degraded',
    detail: 'No word from: A, B, C and 2 more.',
  });
});
