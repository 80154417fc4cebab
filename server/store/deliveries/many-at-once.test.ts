import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { commandIdOf } from './delivery-rows.ts';
import { readOpen } from './open-deliveries.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];

beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

const stone = (quantity: number) => ({ ...diamond(quantity), item: 'minecraft:stone' });

// Guarantee: many members' deliveries are claimed together, and each member's arrive once, in the order in which they were bought.
test('many members at once', async () => {
  const { serverId, world } = await play.recordingServer();
  const members = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const uuid = `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
      const name = `Many${index}`;
      const member = await store.member(name, 'minecraft', `minecraft:${uuid}`);
      world.there.set(uuid, name);
      store.join(serverId, member.playerId, name);
      return { ...member, name };
    }),
  );
  const ids: string[] = [];
  for (const { memberId } of members)
    ids.push(
      ...(await store.buy(memberId, 'minecraft', [1, 2, 3, 4].map(stone), {
        serverIds: [serverId],
      })),
    );
  store.deliveries.wake(members.map(({ memberId }) => memberId));
  await store.deliveries.idle();
  for (const id of ids) expect(await store.row(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  for (const { name } of members)
    expect(world.given.filter((given) => given.startsWith(`${name} `))).toEqual(
      [1, 2, 3, 4].map((quantity) => `${name} minecraft:stone ${quantity}`),
    );
});

// Guarantee: of deliveries that are claimed together, one that cannot be claimed stays unchanged, and the others continue.
test('one of many cannot be taken', async () => {
  const places = [];
  for (let count = 0; count < 3; count += 1) places.push(await play.recordingServer());
  const bought = [];
  for (const { memberId, serverId } of places) {
    const [id = ''] = await store.buy(memberId, 'minecraft', [stone(1)], {
      serverIds: [serverId],
    });
    bought.push(id);
  }
  const [first = '', bad = '', last = ''] = bought;
  // Another command has its id.
  await store.database.pool.query(
    `insert into agent_commands (id, server_id, command, timeout_ms, expires_at, done_at, result)
     values ($1, $2, 'list', 1000, now(), now(), '{}')`,
    [commandIdOf(bad, 1), places[1]?.serverId],
  );
  store.deliveries.wake(places.map(({ memberId }) => memberId));
  await store.deliveries.idle();
  for (const id of [first, last]) expect(await store.row(id)).toMatchObject({ state: 'delivered' });
  expect(await store.row(bad)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(places[1]?.world.given).toEqual([]);
  const { rowCount } = await store.database.pool.query(
    'select from delivery_attempts where delivery_id = $1',
    [bad],
  );
  expect(rowCount).toBe(0);
});

// Guarantee: only the delivery itself waits if another transaction holds it, and it delays no other.
test('one of many is locked', async () => {
  const places: Awaited<ReturnType<typeof play.recordingServer>>[] = [];
  for (let count = 0; count < 3; count += 1) places.push(await play.recordingServer());
  const buy = ({ memberId, serverId }: (typeof places)[number]) =>
    store.buy(memberId, 'minecraft', [stone(1)], { serverIds: [serverId] });
  const wake = () => store.deliveries.wake(places.map(({ memberId }) => memberId));
  // Once the games' first questions are answered, the next ones are claimed in one batch.
  for (const place of places) await buy(place);
  wake();
  await store.deliveries.idle();
  const bought: string[] = [];
  for (const place of places) bought.push(...(await buy(place)));
  const [first = '', locked = '', last = ''] = bought;
  await using client = await store.database.pool.connect().then((held) => ({
    query: held.query.bind(held),
    [Symbol.asyncDispose]: async () => held.release(),
  }));
  await client.query('begin');
  await client.query(`select from deliveries where id = '${locked}' for update`);
  wake();
  await eventually(async () => {
    for (const id of [first, last]) expect(await store.row(id)).toMatchObject({ state: 'delivered' });
  });
  expect(await store.row(locked)).toMatchObject({ state: 'pending' });
  await client.query('commit');
  await store.deliveries.idle();
  expect(await store.row(locked)).toMatchObject({ state: 'delivered', attempts: 1 });
});

// Guarantee: what is bought while a member's deliveries are under way is not left behind.
test('bought meanwhile', async () => {
  const { memberId, serverId } = await play.recordingServer();
  const buy = () => store.buy(memberId, 'minecraft', [stone(1), stone(2)], { serverIds: [serverId] });
  const ids = await buy();
  store.deliveries.wake([memberId]);
  ids.push(...(await buy()));
  store.deliveries.wake([memberId]);
  await eventually(async () => {
    for (const id of ids) expect(await store.row(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  });
});

const manyStones = (count: number) =>
  Array.from({ length: count }, (_, position) => ({ ...stone(1), position }));

// Guarantee: deliveries that cannot go, however many, keep no later one of the same member from its game.
test('behind many that wait', async () => {
  const { memberId, serverId, world } = await play.recordingServer();
  const elsewhere = await store.server('minecraft');
  await store.buy(memberId, 'minecraft', manyStones(500), { points: 1, serverIds: [elsewhere] });
  await store.buy(memberId, 'minecraft', manyStones(2), { serverIds: [serverId] });
  await play.run(memberId);
  expect(world.given).toHaveLength(2);
});

// Guarantee: of more deliveries than one read returns, the oldest of each server are read, and it is known when to read again.
test('more than are read at once', async () => {
  const { memberId } = await store.member(play.newName(), 'minecraft');
  const [one, other] = [await store.server('minecraft'), await store.server('minecraft')];
  const read = async () => (await readOpen(store.database.db, [memberId]))[0];
  const first = await store.buy(memberId, 'minecraft', manyStones(501), { points: 1, serverIds: [one] });
  const later = await store.buy(memberId, 'minecraft', manyStones(3), { points: 1, serverIds: [other] });
  const many = await read();
  expect(many?.rows.map(({ id }) => id)).toEqual([...first.slice(0, 500), ...later]);
  expect(many?.holdsDownTo).toBe(3);
  for (const id of first.slice(0, 2))
    await store.database.pool.query(`select castellan_cancel_delivery($1, 'test', 'test', null)`, [id]);
  const few = await read();
  expect(few?.rows).toHaveLength(502);
  expect(few?.holdsDownTo).toBeLessThan(0);
});
