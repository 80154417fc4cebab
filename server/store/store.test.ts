import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { offlineUuid } from '../../tests/simulators/identities.ts';
import { type MinecraftSimulator, startMinecraft } from '../../tests/simulators/minecraft-simulator.ts';
import { apiDatabase } from '../kernel/testing/api-database.ts';
import { type CallOptions, call, newServer } from '../kernel/testing/call.ts';
import { startTestApi, type TestApi, testDesktopCredential } from '../kernel/testing/test-api.ts';
import { whenInUse } from '../kernel/testing/when-in-use.ts';

const as = testDesktopCredential;
/** A console without an agent is asked every half minute who is there. */
const patienceMs = 50_000;
let database: TestDatabase;
let running: TestApi;
let game: MinecraftSimulator;

beforeAll(async () => {
  database = await apiDatabase();
  running = await startTestApi({ databaseUrl: database.url });
  await whenInUse(running);
  game = await startMinecraft();
  game.world.join('Steve');
  const { password } = game;
  await newServer(running.port, { name: 'Island', host: '127.0.0.1', port: game.port, password });
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await game[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const api = async <const E extends Endpoint>(
  endpoint: E,
  options: Omit<CallOptions<E>, 'as'> = {},
): Promise<EndpointResponse<E>> => {
  const { status, json } = await call(running.port, endpoint, { as, ...options });
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json as EndpointResponse<E>;
};

const memberOf = async (name: string): Promise<string> => {
  const player = await eventually(async () => {
    const { rows } = await api(playersHttp.search);
    const found = rows.find((row) => row.name === name);
    expect(found).toBeDefined();
    return found;
  }, patienceMs);
  const { id } = await api(membersHttp.ofPlayer, { params: { id: player?.id ?? '' } });
  return id;
};
const newProduct = async (price: number): Promise<string> => {
  const { id } = await api(storeHttp.create, {
    body: {
      name: 'Diamonds',
      price,
      game: 'minecraft',
      isEnabled: true,
      lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 3 }],
    },
  });
  return id;
};
const order = (memberId: string, productId: string) =>
  api(ordersHttp.place, {
    body: { memberId, lines: [{ productId }] },
  });
const delivery = (id: string) => api(deliveriesHttp.read, { params: { id } });
const balance = async (memberId: string) =>
  (await api(membersHttp.read, { params: { id: memberId } })).balance;

// Guarantee: from the first points to the item in the game, over the API alone, and the game executed it once.
test('what was bought arrives', async () => {
  const memberId = await memberOf('Steve');
  await api(membersHttp.grant, { params: { id: memberId }, body: { kind: 'grant', points: 25 } });
  const placed = await order(memberId, await newProduct(10));
  const [{ id } = { id: '' }] = placed.deliveries;
  await eventually(
    async () =>
      expect(await delivery(id)).toMatchObject({ state: 'delivered', certainty: 'proven', attempts: 1 }),
    patienceMs,
  );
  expect(await balance(memberId)).toBe(15);
  const { pool } = running.context.database;
  const jobs = await pool.query(`select state from pgboss.job where name = 'delivery' and id = $1`, [id]);
  expect(jobs.rows).toEqual([{ state: 'completed' }]);
});

// Guarantee: an absent player gets it when they come, without waiting for the next sweep.
test('what was bought waits for the player', async () => {
  const { pool } = running.context.database;
  await pool.query(
    `insert into players (identity, platform_id, game, name, name_key) values ($1, $1, 'minecraft', 'Alex', 'alex')`,
    [`minecraft:${offlineUuid('Alex')}`],
  );
  const memberId = await memberOf('Alex');
  await api(membersHttp.grant, { params: { id: memberId }, body: { kind: 'grant', points: 5 } });
  const productId = await newProduct(5);
  const [{ id } = { id: '' }] = (await order(memberId, productId)).deliveries;
  await eventually(
    async () =>
      expect(await delivery(id)).toMatchObject({ state: 'waiting', waitsFor: 'player', attempts: 0 }),
    patienceMs,
  );
  game.world.join('Alex');
  await eventually(async () => expect(await delivery(id)).toMatchObject({ state: 'delivered' }), patienceMs);
});

// Guarantee: a paused queue sends nothing, and continues where it stopped; a person's retry and cancel go through the desk.
test('the queue of deliveries', async () => {
  const memberId = await memberOf('Steve');
  const before = await balance(memberId);
  const pause = (paused: boolean) =>
    api(queuesHttp.pause, { params: { name: 'delivery' }, body: { paused } });
  await pause(true);
  const productId = await newProduct(5);
  const [{ id: first } = { id: '' }] = (await order(memberId, productId)).deliveries;
  const [{ id: second } = { id: '' }] = (await order(memberId, productId)).deliveries;
  const { rows } = await api(queuesHttp.list);
  expect(rows.find(({ name }) => name === 'delivery')).toMatchObject({
    pausedAt: expect.any(String),
    counts: { created: 2 },
  });
  const cancel = () =>
    call(running.port, queuesHttp.cancel, { as, params: { name: 'delivery', id: second }, body: {} });
  expect((await cancel()).json).toMatchObject({ id: second, state: 'cancelled' });
  expect((await cancel()).json).toMatchObject({ status: 409, code: 'JOB_STATE' });
  expect(await delivery(first)).toMatchObject({ state: 'pending' });
  await pause(false);
  await eventually(
    async () => expect(await delivery(first)).toMatchObject({ state: 'delivered' }),
    patienceMs,
  );
  expect(await balance(memberId)).toBe(before - 5);
  const page = await api(queuesHttp.jobs, {
    params: { name: 'delivery' },
  });
  expect(page.rows.map(({ id }) => id).slice(0, 2)).toEqual([second, first]);
  const audit = await api(auditHttp.list);
  expect(audit.rows.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['queues.pause', 'queues.resume']),
  );
});
