import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDeliveryDetails } from '../read-deliveries.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
  // From here on, anything older comes from a restored database.
  await store.database.pool.query('update store_state set epoch = 2');
});
afterAll(() => store[Symbol.asyncDispose]());

/** A waiting delivery, as in a database restored from a backup. */
const waiting = async (line: ReturnType<typeof diamond> | typeof say = diamond()) => {
  const game = await play.recordingServer();
  store.leave(game.playerId);
  const [id = ''] = await store.buy(game.memberId, 'minecraft', [line], { serverIds: [game.serverId] });
  await store.database.pool.query(
    `update deliveries set epoch = 1, state = 'waiting', waits_for = 'player' where id = $1`,
    [id],
  );
  return { ...game, id };
};

// Guarantee: what a restored database calls waiting is paid back only after the game withdrew it.
test('a gift that the game can withdraw', async () => {
  const { id, world, memberId } = await waiting();
  expect(await store.deliveries.desk.cancel(id, by)).toBeNull();
  expect(world.marks.get(`${id}-1`)).toBe('2b');
  expect(await store.row(id)).toMatchObject({ state: 'cancelled', refunded_at: expect.any(Date) });
  expect(await readDeliveryDetails(store.database.db, id)).toMatchObject({
    detail: `Cancelled by ${by.actor.name}.`,
    reason: { code: 'cancelled-by', values: [by.actor.name] },
  });
  expect(await store.balance(memberId)).toBe(1000);
});

// Guarantee: what the game gave since the backup is not paid back, not even what it gave with a later mark.
test.each<{ title: string; marks: Readonly<Record<string, string>> }>([
  { title: 'given once', marks: { 1: '1b' } },
  { title: 'given again, after it was withdrawn', marks: { 1: '2b', 2: '1b' } },
  { title: 'given again, after the world had lost it', marks: { 2: '1b' } },
])('a gift that was $title', async ({ marks }) => {
  const { id, world, memberId } = await waiting();
  for (const [generation, mark] of Object.entries(marks)) world.marks.set(`${id}-${generation}`, mark);
  expect(await store.deliveries.desk.cancel(id, by)).toMatchObject({ refused: 'DELIVERY_STATE' });
  expect(await store.row(id)).toMatchObject({
    state: 'delivered',
    certainty: 'settled',
    refunded_at: null,
  });
  expect(await store.balance(memberId)).toBe(990);
});

// Guarantee: while the game cannot be asked, nothing is paid back, and nothing is lost.
test('a game that cannot be asked', async () => {
  const { id, world, memberId } = await waiting();
  world.mood = 'starting';
  expect(await store.deliveries.desk.cancel(id, by)).toMatchObject({ refused: 'DELIVERY_STATE' });
  expect(await store.row(id)).toMatchObject({ state: 'waiting', refunded_at: null });
  expect(await store.balance(memberId)).toBe(990);
  world.mood = 'well';
  expect(await store.deliveries.desk.cancel(id, by)).toBeNull();
});

// Guarantee: if no game can tell, a person decides at the desk, in full knowledge.
test('a command goes to the desk', async () => {
  const { id, memberId } = await waiting({ ...say, needsPlayer: true });
  expect(await store.deliveries.desk.cancel(id, by)).toMatchObject({ refused: 'DELIVERY_STATE' });
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'restored', refunded_at: null });
  expect(await store.balance(memberId)).toBe(990);
  expect(await store.deliveries.desk.decide([id], 'refund', by)).toMatchObject([{ isDone: true }]);
  expect(await store.balance(memberId)).toBe(1000);
});

// Guarantee: the desk also asks the game before it pays back what a restored database calls unknown.
test('a gift at the desk that the game knows', async () => {
  const { id, world, memberId } = await waiting();
  world.marks.set(`${id}-1`, '1b');
  await store.database.pool.query(
    `update deliveries set state = 'unknown', waits_for = null, desk_reason = 'restored', desk_at = now() where id = $1`,
    [id],
  );
  expect(await store.deliveries.desk.decide([id], 'refund', by)).toMatchObject([{ isDone: false }]);
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'settled', desk_reason: null });
  expect(await store.balance(memberId)).toBe(990);
});

// Guarantee: the database does not let an operator cancel what only the game could take back.
test('the database itself', async () => {
  const { id, memberId } = await waiting();
  await expect(
    store.database.pool.query(`select castellan_cancel_delivery($1, 'by SQL', 'operator', null)`, [id]),
  ).rejects.toThrow(/a database that was restored/);
  expect(await store.row(id)).toMatchObject({ state: 'waiting' });
  expect(await store.balance(memberId)).toBe(990);
});
