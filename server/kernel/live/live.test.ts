import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { liveCloseCodes, livePath } from '#contracts/kernel/live.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { version } from '#runtime/version.ts';
import { recordEvent } from '../events/record-event.ts';
import { askRaw } from '../testing/ask.ts';
import { call, changeRole, customRole, person } from '../testing/call.ts';
import { liveUrl, openLiveClient, ticketOf } from '../testing/live-client.ts';
import { startTestApi, type TestApi, testDesktopCredential } from '../testing/test-api.ts';
import { openTestCluster, type TestCluster } from '../testing/test-cluster.ts';
import { whenInUse } from '../testing/when-in-use.ts';
import { mostConnectionsFor } from './live.ts';

// Its own cluster: the feed waits for every transaction that began before, including those of other tests.
let folder: TemporaryFolder;
let postgres: TestCluster;
let api: TestApi;

const startApi = async (heartbeatMs = 200): Promise<TestApi> => {
  const started = await startTestApi({
    databaseUrl: postgres.databaseUrl,
    home: folder.path,
    workers: [],
    live: { heartbeatMs },
  });
  await whenInUse(started);
  return started;
};

beforeAll(async () => {
  folder = await temporaryFolder('live');
  postgres = await openTestCluster(folder.path, await freePort());
  await postgres.start();
  api = await startApi();
  // Its own start event is there before those of the tests.
  await eventually(async () => {
    const { rowCount } = await api.context.database.pool.query('select from event_logs');
    expect(rowCount).toBe(1);
  });
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const open = (as = testDesktopCredential) => openLiveClient(api.port, as);
const say = (what: string) => recordEvent(api.context.database.db, 'stack.started', { version: what });
/** What the tests have sent, without the API's own start events. */
const versionsOf = (events: readonly { payload: Record<string, unknown> }[]) =>
  events.map(({ payload }) => payload.version).filter((said) => said !== undefined && said !== version);

const upgradeRequest = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

// Guarantee: a connection opens only with a ticket, and each ticket works once; other paths are not upgraded.
test('a ticket opens one connection', async () => {
  const ticket = await ticketOf(api.port, testDesktopCredential);
  const first = new WebSocket(liveUrl(api.port, ticket));
  await new Promise((resolve) => first.once('message', resolve));
  first.terminate();
  for (const query of [`?ticket=${ticket}`, '?ticket=', '', '?ticket=guessed'])
    expect(await askRaw(api.port, upgradeRequest(livePath + query))).toMatch(
      /^HTTP\/1.1 401 .*UNAUTHENTICATED/s,
    );
  const fresh = await ticketOf(api.port, testDesktopCredential);
  expect(await askRaw(api.port, upgradeRequest(`/api/other?ticket=${fresh}`))).toMatch(/^HTTP\/1.1 404 /);
});

// Guarantee: a ticket opens nothing once the session it was issued to has ended.
test('a ticket of an ended session', async () => {
  const { token } = await person(api.port, { role: 'owner' });
  const ticket = await ticketOf(api.port, token);
  await call(api.port, sessionsHttp.signOut, { as: token });
  expect(await askRaw(api.port, upgradeRequest(`${livePath}?ticket=${ticket}`))).toMatch(
    /^HTTP\/1.1 401 .*UNAUTHENTICATED/s,
  );
});

// Guarantee: every tab gets an event once, after its commit; what is rolled back never arrives.
test('two tabs', async () => {
  using one = await open();
  using two = await open();
  for (const tab of [one, two]) {
    tab.send({ type: 'subscribe', topic: 'events' });
    expect(await tab.next('subscribed')).toMatchObject({ topic: 'events', resumed: false });
  }
  const { db } = api.context.database;
  const undone = await db.startTransaction().execute();
  await recordEvent(undone, 'stack.started', { version: 'undone' });
  await undone.rollback().execute();
  await say('a');
  const { events } = await one.next('events');
  expect(events).toMatchObject([{ kind: 'stack.started', severity: 'info', payload: { version: 'a' } }]);
  await say('b');
  two.send({ type: 'unsubscribe', topic: 'events' });
  await two.next('ended');
  await say('c');
  await eventually(() => expect(versionsOf(one.events())).toEqual(['a', 'b', 'c']));
  expect(versionsOf(two.events())).not.toContain('c');
});

// Guarantee: health is sent immediately, and again when it changes.
test('health', async () => {
  using client = await open();
  client.send({ type: 'subscribe', topic: 'health' });
  expect((await client.next('health')).health).toMatchObject({ license: 'valid' });
  api.license.set('grace');
  try {
    expect((await client.next('health')).health).toMatchObject({ license: 'grace' });
  } finally {
    api.license.set('valid');
  }
});

// Guarantee: a client that is repeatedly cut off while events pour in and the API restarts gets every event exactly once by
// its cursor.
test('resuming', async () => {
  let current = await startApi();
  const seen: unknown[] = [];
  const committed: string[] = [];
  let writing = 4;
  const writer = async (name: number) => {
    const { db } = api.context.database;
    for (let index = 0; index < 80; index += 1) {
      const said = `w${name}-${index}`;
      const trx = await db.startTransaction().execute();
      await recordEvent(trx, 'stack.started', { version: said });
      await delay(Math.random() * 12);
      if (index % 9 === 0) await trx.rollback().execute();
      else {
        await trx.commit().execute();
        committed.push(said);
      }
    }
    writing -= 1;
  };
  const isWhole = () => writing === 0 && seen.length >= committed.length;
  const reader = async () => {
    let cursor: string | null = null;
    for (let round = 0; !isWhole(); round += 1) {
      expect(round).toBeLessThan(100);
      if (round === 4) {
        await current[Symbol.asyncDispose]();
        current = await startApi();
      }
      using client = await openLiveClient(current.port, testDesktopCredential);
      client.send({ type: 'subscribe', topic: 'events', ...(cursor ? { since: cursor } : {}) });
      expect(await client.next('subscribed')).toMatchObject({ resumed: cursor !== null });
      if (round === 0) started.resolve();
      await delay(100 + Math.random() * 100);
      client.socket.terminate();
      await client.closed;
      seen.push(...versionsOf(client.events()).filter((said) => /^w/.test(String(said))));
      cursor = client.cursor();
    }
  };
  const started = Promise.withResolvers<void>();
  const reading = reader();
  await started.promise;
  await Promise.all([reading, ...Array.from({ length: 4 }, (_, name) => writer(name))]);
  await current[Symbol.asyncDispose]();
  expect(seen).toHaveLength(committed.length);
  expect(new Set(seen)).toEqual(new Set(committed));
});

// Guarantee: a client that missed too much is told so and continues from now; an unknown cursor is no error.
test('a cursor that lies too far back', async () => {
  using client = await open();
  client.send({ type: 'subscribe', topic: 'events', since: '1-0' });
  expect(await client.next('subscribed')).toMatchObject({ resumed: true });
  await api.context.database.pool.query(
    `insert into event_logs (kind, severity, payload) select 'backup.taken', 'info', '{}' from generate_series(1, 10001)`,
  );
  for (const since of ['1-0', 'nonsense', '9000000000000000000-1']) {
    client.send({ type: 'subscribe', topic: 'events', since });
    expect(await client.next('subscribed')).toMatchObject({ resumed: false });
  }
});

// Guarantee: a client that does not take its messages falls behind and is then dropped, holds up no one, and gets the rest
// later by its cursor.
test('a slow client', async () => {
  // A client may take two beats for one message: four megabytes of these events, on a slow machine.
  await using patient = await startApi(1000);
  const come = () => openLiveClient(patient.port, testDesktopCredential);
  using quick = await come();
  using slow = await come();
  for (const client of [quick, slow]) {
    client.send({ type: 'subscribe', topic: 'events' });
    await client.next('subscribed');
  }
  await say('first');
  await eventually(() => expect(versionsOf(slow.events())).toEqual(['first']));
  slow.socket.pause();
  const long = 'x'.repeat(20_000);
  const all = ['first'];
  for (let index = 0; index < 1000; index += 1) {
    all.push(`${index}-${long}`);
    await say(`${index}-${long}`);
  }
  await eventually(() => expect(versionsOf(quick.events())).toHaveLength(all.length));
  // The kernel's buffers are not ours to bound; what waits in the API is bounded.
  await eventually(() => expect(patient.context.live.connections).toBe(1), 20_000);
  slow.socket.resume();
  expect([1006, liveCloseCodes.tooSlow]).toContain((await slow.closed).code);
  using again = await come();
  again.send({ type: 'subscribe', topic: 'events', since: slow.cursor() });
  await eventually(() => {
    const versions = [...versionsOf(slow.events()), ...versionsOf(again.events())];
    expect(versions.length).toBe(all.length);
    expect(versions).toEqual(all);
  });
});

// Guarantee: a topic requires its permission on subscribing and for as long as it lasts.
test('permissions', async () => {
  const role = await customRole(api.port, ['stack.read', 'events.read']);
  const someone = await person(api.port, { role });
  using client = await open(someone.token);
  for (const topic of ['events', 'health'] as const) {
    client.send({ type: 'subscribe', topic });
    expect(await client.next('subscribed')).toMatchObject({ topic });
  }
  const changed = await changeRole(api.port, {
    as: testDesktopCredential,
    id: role,
    edit: { name: 'narrowed', permissions: ['stack.read'] },
  });
  expect(changed.status).toBe(200);
  expect(await client.next('ended')).toMatchObject({ topic: 'events', code: 'FORBIDDEN' });
  await say('not for them');
  client.send({ type: 'subscribe', topic: 'events' });
  expect(await client.next('ended')).toMatchObject({ topic: 'events', code: 'FORBIDDEN' });
  expect(versionsOf(client.events())).not.toContain('not for them');

  await call(api.port, sessionsHttp.signOut, { as: someone.token });
  expect(await client.closed).toMatchObject({ code: liveCloseCodes.signedOut });
});

// Guarantee: when the license is rejected every connection ends with its code, and none opens until it is valid again.
test('the license gate', async () => {
  const ticket = await ticketOf(api.port, testDesktopCredential);
  using client = await open();
  api.license.set('rejected', 'REVOKED');
  try {
    expect(await client.closed).toEqual({ code: liveCloseCodes.licenseRejected, reason: 'REVOKED' });
    expect(await askRaw(api.port, upgradeRequest(`${livePath}?ticket=${ticket}`))).toMatch(
      /^HTTP\/1.1 403 .*"code":"REVOKED"/s,
    );
  } finally {
    api.license.set('valid');
  }
  using again = await open();
  await again.next('welcome');
});

// Guarantee: messages outside the contract, too long or too many end that connection and nothing else.
test.each([
  ['no JSON', liveCloseCodes.badMessage, (socket: WebSocket) => socket.send('{')],
  [
    'an unknown topic',
    liveCloseCodes.badMessage,
    (socket: WebSocket) => socket.send('{"type":"subscribe","topic":"all"}'),
  ],
  ['bytes', liveCloseCodes.badMessage, (socket: WebSocket) => socket.send(Buffer.from('{}'))],
  ['a long message', 1009, (socket: WebSocket) => socket.send(' '.repeat(5000))],
  [
    'a flood',
    liveCloseCodes.tooMany,
    (socket: WebSocket) => {
      for (let index = 0; index < 310; index += 1) socket.send('{"type":"unsubscribe","topic":"health"}');
    },
  ],
])('%s', async (_what, code, misbehave) => {
  using client = await open();
  await client.next('welcome');
  misbehave(client.socket);
  expect((await client.closed).code).toBe(code);
});

// Guarantee: a person who turns pages quickly stays connected.
test('thirty pages in a moment', async () => {
  using client = await open();
  await client.next('welcome');
  for (let page = 0; page < 30; page += 1)
    for (const type of ['subscribe', 'unsubscribe'])
      for (const topic of ['health', 'servers', 'players', 'figures'])
        client.socket.send(JSON.stringify({ type, topic }));
  client.socket.send(JSON.stringify({ type: 'subscribe', topic: 'agent-tasks' }));
  let last: string;
  do last = (await client.next('subscribed')).topic;
  while (last !== 'agent-tasks');
});

// Guarantee: a connection whose peer vanished silently is detected.
test('a silent client', async () => {
  using client = await open();
  await client.next('heartbeat');
  const before = api.context.live.connections;
  client.socket.pause();
  await eventually(() => expect(api.context.live.connections).toBeLessThan(before));
});

// Guarantee: no one can take all connections.
test('connections of one actor are bounded', async () => {
  await using clients = new AsyncDisposableStack();
  await eventually(() => expect(api.context.live.connections).toBe(0));
  for (let index = 0; index < 100; index += 1) clients.use(await open());
  // A page cannot read why an upgrade was refused, so the reason is sent on the connection itself.
  using refused = await open();
  expect((await refused.closed).code).toBe(liveCloseCodes.noRoom);
  expect(api.context.live.connections).toBe(100);
});

// Guarantee: API keys never take the last connections, which are reserved for people.
test('connections of keys are bounded', () => {
  expect(mostConnectionsFor({ kind: 'api-key' })).toBeLessThanOrEqual(800);
  for (const kind of ['admin', 'desktop'] as const) expect(mostConnectionsFor({ kind })).toBe(1000);
});

// Guarantee: when the API stops, it tells its clients to reconnect, and is not held up by them.
test('a stop', async () => {
  const other = await startApi();
  using client = await openLiveClient(other.port, testDesktopCredential);
  await client.next('welcome');
  await other[Symbol.asyncDispose]();
  expect((await client.closed).code).toBe(liveCloseCodes.goingAway);
});
