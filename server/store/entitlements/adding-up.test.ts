import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lockGroup } from './add-up.ts';
import { day, type LastingStore, openLastingStore, type RankedServer, vip } from './testing/lasting-store.ts';

let lasting: LastingStore;
let server: RankedServer;
beforeAll(async () => {
  lasting = await openLastingStore();
});
beforeEach(async () => {
  lasting.aheadMs = 0;
  server = await lasting.ranked();
});
afterAll(() => lasting[Symbol.asyncDispose]());

const round = () => lasting.entitlements.round();
const statesOf = async (memberId: string) => (await lasting.places(memberId)).map(({ state }) => state);

// Guarantee: bought twice, it lasts for the sum; refunding one removes its part, and only the last refund takes the rank.
test('bought twice, then refunded one by one', async () => {
  const { memberId, name } = await lasting.player(server);
  const first = await lasting.buy(memberId);
  await lasting.pass(10 * day);
  const second = await lasting.buy(memberId);
  await round();
  // The command was sent again: what the player lost in the game is there again.
  expect(server.given).toEqual([name, name]);
  const daysLeft = async () =>
    Math.round((((await lasting.endOf(memberId)).ends_at?.getTime() ?? 0) - Date.now()) / 86_400_000);
  expect(await daysLeft()).toBe(50);
  await lasting.refund(first);
  await round();
  expect(await daysLeft()).toBe(30);
  expect(server.taken).toEqual([]);
  await lasting.refund(second);
  await round();
  expect(server.taken).toEqual([name]);
  expect(await statesOf(memberId)).toEqual(['taken']);
});

// Guarantee: a delivery that arrives does not wait while its entitlement is being added up.
test('a delivery while it is added up', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  const [found] = await lasting.entitlements.reading.ofMember(memberId);
  await lasting.store.database.db.transaction().execute(async (trx) => {
    expect(await lockGroup(trx, found?.id ?? '')).toMatchObject({ memberId });
    await lasting.buy(memberId);
    expect(server.given).toEqual([name, name]);
    const [more] = await lasting.entitlements.reading.ofMember(memberId);
    expect(more?.grants).toHaveLength(2);
  });
});

// Guarantee: refunds lead to the same end in any order.
test('refunds in either order', async () => {
  const ends: (number | undefined)[] = [];
  for (const order of [
    [0, 2],
    [2, 0],
  ]) {
    const { memberId } = await lasting.player(server);
    const orders: string[] = [];
    for (let bought = 0; bought < 3; bought += 1)
      orders.push(await lasting.buy(memberId, vip({ days: 10 + bought })));
    await lasting.store.database.pool.query(
      `update entitlement_grants set given_at = date_trunc('day', now()) where entitlement_id in
         (select id from entitlements where member_id = $1)`,
      [memberId],
    );
    for (const at of order) {
      await lasting.refund(orders[at] ?? '');
      await round();
    }
    ends.push((await lasting.endOf(memberId)).ends_at?.getTime());
  }
  expect(ends[0]).toEqual(expect.any(Number));
  expect(ends[1]).toBe(ends[0]);
});

// Guarantee: if it is bought again while its end is being sent, it is given in the end, whatever the counter-command did.
test.each(['well', 'lost'] as const)('bought again while its end is sent: %s', async (mood) => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  server.mood = mood;
  let bought: Promise<unknown> = Promise.resolve();
  server.onTaken = () => {
    server.onTaken = () => undefined;
    bought = lasting.buy(memberId);
  };
  await round();
  await bought;
  await round();
  await round();
  expect(server.ranked).toContain(name);
  expect(await statesOf(memberId)).toEqual(['held']);
});

// Guarantee: if it is bought again before anything was sent, nothing is taken.
test('bought again before its end is sent', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  lasting.paused = true;
  await lasting.pass(31 * day);
  await round();
  expect(server.taken).toEqual([]);
  await lasting.buy(memberId);
  lasting.paused = false;
  await round();
  expect(server.taken).toEqual([]);
  expect(server.ranked).toContain(name);
  expect(await statesOf(memberId)).toEqual(['held']);
});

// Guarantee: a refund while its end is being sent takes nothing back twice.
test('refunded while its end is sent', async () => {
  const { memberId, name } = await lasting.player(server);
  const order = await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  let refunded: Promise<unknown> = Promise.resolve();
  server.onTaken = () => {
    refunded = lasting.refund(order);
  };
  await round();
  await refunded;
  await round();
  expect(server.taken).toEqual([name]);
  expect(await statesOf(memberId)).toEqual(['taken']);
});
