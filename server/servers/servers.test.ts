import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveCloseCodes } from '#contracts/kernel/live.ts';
import { secretsHttp } from '#contracts/operations/secrets.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { type GameServerStatus, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { eventually } from '#harness/eventually.ts';
import { startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import { startSevenDays } from '../../tests/simulators/seven-days-simulator.ts';
import { apiForThisFile } from '../kernel/testing/api-of-a-test.ts';
import { ask } from '../kernel/testing/ask.ts';
import { call, changeAdmin, newServer, person } from '../kernel/testing/call.ts';
import { type LiveClient, openLiveClient } from '../kernel/testing/live-client.ts';
import { testDesktopCredential } from '../kernel/testing/test-api.ts';

const running = apiForThisFile();
const as = testDesktopCredential;
let game: Awaited<ReturnType<typeof startMinecraft>>;
let serverId: string;
/** Without a link to it. */
let otherId: string;

beforeAll(async () => {
  game = await startMinecraft();
  const { port } = running();
  const { password } = game;
  serverId = await newServer(port, { name: 'Island', host: '127.0.0.1', port: game.port, password });
  otherId = await newServer(port, { name: 'Nowhere' });
});
afterAll(() => game[Symbol.asyncDispose]());

const statusOf = async (id: string): Promise<GameServerStatus> => {
  const { json } = await call(running().port, gameServersHttp.read, { as, params: { id } });
  return json.status as GameServerStatus;
};
const run = (command: string, serverIds = [serverId], token = as) =>
  call(running().port, consoleHttp.run, { as: token, body: { serverIds, command } });
const statusesOf = (client: LiveClient) =>
  client.messages.flatMap((message) => (message.type === 'servers' ? message.servers : []));

// Guarantee: from the panel to a real console and back: status by proof, commands with replies, history.
test('a game server', async () => {
  await eventually(async () =>
    expect(await statusOf(serverId)).toMatchObject({ state: 'online', via: 'direct', outcome: 'answered' }),
  );
  expect(await statusOf(otherId)).toMatchObject({
    state: 'unknown',
    detail: expect.stringContaining('no console address and no Game Agent'),
  });
  const { json } = await run('save-all', [serverId, otherId]);
  expect(json.entries).toMatchObject([
    { serverId, outcome: 'answered', via: 'direct', reply: expect.stringContaining('Saved') },
    { serverId: otherId, outcome: 'unreachable', via: null },
  ]);
  const history = await ask(running().port, `${consoleHttp.history.path}?serverId=${serverId}`, {
    headers: { Authorization: `Bearer ${as}` },
  });
  expect(history.json.rows).toMatchObject([{ command: 'save-all', outcome: 'answered' }]);
  const { db } = running().api.context.database;
  await eventually(async () => {
    const rows = await db
      .selectFrom('event_logs')
      .select(['server_id', 'payload'])
      .where('kind', '=', 'server.online')
      .execute();
    expect(rows).toEqual([{ server_id: serverId, payload: { name: 'Island', via: 'direct' } }]);
  });
});

// Guarantee: a client that leaves in the middle stops nothing: the command is carried out, and its reply is kept.
test('the caller goes away', async () => {
  game.quirks.replyDelayMs = 300;
  const body = JSON.stringify({ serverIds: [serverId], command: 'say still here' });
  const headers = { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json' };
  const asked = request({ port: running().port, method: 'POST', path: consoleHttp.run.path, headers });
  asked.on('error', () => undefined);
  asked.end(body);
  await eventually(() => expect(game.world.received).toContain('say still here'));
  asked.destroy();
  const { db } = running().api.context.database;
  await eventually(async () => {
    const row = db.selectFrom('console_commands').select('outcome').where('command', '=', 'say still here');
    expect(await row.executeTakeFirst()).toEqual({ outcome: 'answered' });
  });
  game.quirks.replyDelayMs = 0;
});

/** What the game was told, except what the API asks it automatically. */
const said = () => game.world.received.filter((command) => command !== 'list');

// Guarantee: a request of the wrong shape is refused before anything is sent.
test.each([
  ['two lines', { command: 'say a\nsay b' }],
  ['half a character', { command: 'say \ud800' }],
  ['nothing', { command: ' ' }],
  ['a server twice', { serverIds: ['a', 'a'] }],
  ['too long a wait', { timeoutMs: 600_000 }],
])('a run with %s', async (_what, more) => {
  const before = said();
  const answer = await ask(running().port, consoleHttp.run.path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${as}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ serverIds: [serverId], command: 'say refused', ...more }),
  });
  expect([answer.status, answer.json.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(said()).toEqual(before);
});

// Guarantee: everyone who watches sees a game go down and come back, and no one sees it without permission.
test('the live status', async () => {
  const someone = await person(running().port, {
    role: null,
    serverGrants: [{ serverId: otherId, role: 'viewer' }],
  });
  using owner = await openLiveClient(running().port, as);
  using theirs = await openLiveClient(running().port, someone.token);
  for (const client of [owner, theirs]) {
    client.send({ type: 'subscribe', topic: 'servers' });
    await client.next('subscribed');
    await client.next('servers');
  }
  expect(new Set(statusesOf(owner).map((each) => each.serverId))).toEqual(new Set([serverId, otherId]));
  expect(statusesOf(theirs).map((each) => each.serverId)).toEqual([otherId]);
  await game.goOffline();
  await eventually(() =>
    expect(statusesOf(owner).at(-1)).toMatchObject({ serverId, status: { state: 'offline' } }),
  );
  await game.comeBack();
  await eventually(
    () => expect(statusesOf(owner).at(-1)).toMatchObject({ serverId, status: { state: 'online' } }),
    30_000,
  );
  expect(statusesOf(theirs)).toHaveLength(1);
  // What is granted in the meantime is visible from then on.
  await changeAdmin(running().port, {
    as,
    id: someone.id,
    edit: { serverGrants: [{ serverId, role: 'viewer' }] },
  });
  await eventually(() => expect(statusesOf(theirs).at(-1)?.serverId).toBe(serverId));
});

// Guarantee: the live console needs the permission for its server, for as long as it lasts.
test('the live console', async () => {
  const someone = await person(running().port, {
    role: null,
    serverGrants: [{ serverId, role: 'moderator' }],
  });
  using client = await openLiveClient(running().port, someone.token);
  client.send({ type: 'subscribe', topic: 'console', serverId: otherId });
  expect(await client.next('ended')).toMatchObject({ serverId: otherId, code: 'FORBIDDEN' });
  client.send({ type: 'subscribe', topic: 'console', serverId });
  expect(await client.next('subscribed')).toMatchObject({ topic: 'console', serverId });
  expect((await run('list', [serverId], someone.token)).status).toBe(200);
  expect((await client.next('entry')).entry).toMatchObject({ command: 'list', outcome: null });
  expect((await client.next('entry')).entry).toMatchObject({ command: 'list', outcome: 'answered' });
  expect((await run('list', [serverId, otherId], someone.token)).json.code).toBe('FORBIDDEN');
  await changeAdmin(running().port, { as, id: someone.id, edit: { serverGrants: [] } });
  expect(await client.next('ended')).toMatchObject({ topic: 'console', serverId, code: 'FORBIDDEN' });
});

// Guarantee: what a game writes by itself reaches those who watch its console, without anyone having asked the game.
test('live lines', async () => {
  await using sevenDays = await startSevenDays();
  const id = await newServer(running().port, {
    game: 'seven-days-to-die',
    host: '127.0.0.1',
    port: sevenDays.port,
    password: sevenDays.password,
  });
  await eventually(async () => expect(await statusOf(id)).toMatchObject({ state: 'online' }));
  using client = await openLiveClient(running().port, as);
  client.send({ type: 'subscribe', topic: 'console', serverId: id });
  await client.next('subscribed');
  sevenDays.world.join('Steve');
  const { lines, serverId: from } = await client.next('lines');
  expect(from).toBe(id);
  expect(lines.some(({ text }) => text.includes('Steve'))).toBe(true);
  await call(running().port, gameServersHttp.archive, { as, params: { id } });
  expect(await client.next('ended')).toMatchObject({ serverId: id, code: 'NOT_FOUND' });
  await eventually(() => expect(sevenDays.sessions).toBe(0));
});

// Guarantee: a subscription names a server on the topics of a single server, and only there.
test.each([
  { type: 'subscribe', topic: 'console' },
  { type: 'subscribe', topic: 'servers', serverId: 's' },
  { type: 'unsubscribe', topic: 'events', serverId: 's' },
] as const)('a message that does not fit: %j', async (message) => {
  using client = await openLiveClient(running().port, as);
  await client.next('welcome');
  client.send(message);
  expect((await client.closed).code).toBe(liveCloseCodes.badMessage);
});

// Guarantee: console passwords count among the secrets, and are re-encrypted with them.
test('the secrets at rest', async () => {
  const { json } = await call(running().port, secretsHttp.status, { as });
  expect(json).toMatchObject({ total: 2, unreadable: 0, damaged: 0 });
});

// Guarantee: while the license is not valid no game is connected; when it is again, they are.
test('the license', async () => {
  const { license } = running().api;
  license.set('rejected', 'REVOKED');
  await eventually(() => expect(game.sessions).toBe(0));
  license.set('valid');
  await eventually(() => expect(game.sessions).toBe(1));
});
