import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Permission } from '#contracts/identity/permissions.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import type { Actor } from '../kernel/access/actor.ts';
import { call } from '../kernel/testing/call.ts';
import { type FeatureApi, serveFeature, testOwner } from '../kernel/testing/feature-api.ts';
import { bindDeliveriesRoutes } from './deliveries/deliveries.routes.ts';
import { openStoreInPlay, type StoreInPlay } from './deliveries/testing/store-in-play.ts';
import { readSurvivorNumbers } from './survivor-numbers.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
let api: FeatureApi;
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
  api = await serveFeature((routes) => bindDeliveriesRoutes(routes, store.context, store.deliveries));
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const newPlayer = async () => (await store.member(play.newName(), 'ark-se')).playerId;
const newServer = () => store.server('ark-se');
const read = (id: string) => call(api.port, deliveriesHttp.survivorNumbers, { params: { id } });
const set = (id: string, body: unknown) =>
  call(api.port, deliveriesHttp.setSurvivorNumber, {
    params: { id },
    body: body as { serverId: string; number: string | null },
  });
const audited = async (playerId: string) =>
  (
    await store.database.pool.query(
      'select action, before, after from audit_logs where target = $1 order by id',
      [`player:${playerId}`],
    )
  ).rows;

// Guarantee: a number that staff set is shown with its origin, can be changed and forgotten, and each of these acts is audited.
test('set, changed and forgotten', async () => {
  const [playerId, serverId] = [await newPlayer(), await newServer()];
  expect((await read(playerId)).json).toEqual({ rows: [] });
  expect((await set(playerId, { serverId, number: '11' })).status).toBe(200);
  expect((await set(playerId, { serverId, number: '12' })).status).toBe(200);
  expect((await read(playerId)).json).toEqual({
    rows: [{ serverId, number: '12', source: 'staff', foundIn: null, setAt: expect.any(String) }],
  });
  expect((await set(playerId, { serverId, number: null })).status).toBe(200);
  expect((await read(playerId)).json).toEqual({ rows: [] });
  const action = 'players.set-survivor-number';
  expect(await audited(playerId)).toEqual([
    { action, before: null, after: { serverId, number: '11' } },
    { action, before: { serverId, number: '11' }, after: { serverId, number: '12' } },
    { action, before: { serverId, number: '12' }, after: null },
  ]);
});

// Guarantee: an invalid survivor number, or one for an unknown player or server, is refused and changes nothing.
test.each<[string, unknown, number]>([
  ['zero', { number: '0' }, 400],
  ['a leading zero', { number: '012' }, 400],
  ['below zero', { number: '-1' }, 400],
  ['a fraction', { number: '1.5' }, 400],
  ['a command behind it', { number: '1\ndestroywilddinos' }, 400],
  ['digits of another script', { number: '\u0661' }, 400],
  ['too long', { number: '9'.repeat(20) }, 400],
  ['a number in JSON', { number: 12 }, 400],
  ['nothing', {}, 400],
  ['more than it takes', { number: '1', source: 'agent' }, 400],
  ['an unknown server', { number: '1', serverId: `c${'z'.repeat(23)}` }, 404],
  ['what is no id of a server', { number: '1', serverId: "x' or true" }, 404],
  ['a server as an object', { number: '1', serverId: {} }, 400],
])('refused: %s', async (_name, body, status) => {
  const [playerId, serverId] = [await newPlayer(), await newServer()];
  const answer = await set(playerId, { serverId, ...(body as object) });
  expect(answer.status).toBe(status);
  expect((await read(playerId)).json).toEqual({ rows: [] });
  expect(await audited(playerId)).toEqual([]);
});

// Guarantee: an unknown player has no numbers, and gets none.
test('an unknown player', async () => {
  const serverId = await newServer();
  expect((await set('999999999', { serverId, number: '1' })).status).toBe(404);
  expect((await read('999999999')).json).toEqual({ rows: [] });
  expect((await read('no-number')).status).toBe(400);
});

// Guarantee: a person reads the numbers only for servers whose players they may see.
test('of servers that one may see', async () => {
  const [playerId, seen, hidden] = [await newPlayer(), await newServer(), await newServer()];
  for (const serverId of [seen, hidden]) await set(playerId, { serverId, number: '7' });
  const viewer = (...permissions: Permission[]): Actor => ({
    ...testOwner,
    permissions: new Set(),
    serverPermissions: new Map([[seen, new Set(permissions)]]),
  });
  const serversOf = async (actor: Actor) =>
    (await readSurvivorNumbers(store.database.db, playerId, actor)).map(({ serverId }) => serverId);
  expect(await serversOf(viewer('players.read'))).toEqual([seen]);
  expect(await serversOf(viewer('servers.read'))).toEqual([]);
  expect((await serversOf(testOwner)).sort()).toEqual([seen, hidden].sort());
});
