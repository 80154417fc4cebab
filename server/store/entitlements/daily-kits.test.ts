import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { dayIn } from './daily-kits.ts';
import { day, type LastingStore, openLastingStore, type RankedServer } from './testing/lasting-store.ts';

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

const kit = (days: number): DeliveryLine => ({
  kind: 'item',
  item: 'bread',
  quantity: 1,
  position: 0,
  lasts: { key: 'kit:bread', seconds: days * day, extends: true, everyDay: true },
});
const round = async () => {
  await lasting.entitlements.round();
  await lasting.store.deliveries.idle();
};
/** By the clock: each day has its own kit. */
const nextDay = async () => {
  lasting.aheadMs += day * 1000;
  await round();
};

// Guarantee: after a restore, today's kit, which may have been given since the backup, is not given a second time: it
// waits at the desk under its own id, by which a game with a record decides, and delays no kit of a later day.
test('a backup from before today', async () => {
  const { pool } = lasting.store.database;
  const { memberId } = await lasting.player(server);
  await lasting.buy(memberId, kit(7));
  await round();
  await lasting.pass(day);
  await round();
  const newest = async () => {
    const { rows } = await pool.query<{ id: string; state: string; desk_reason: string | null }>(
      'select id, state, desk_reason from deliveries where member_id = $1 order by number desc limit 1',
      [memberId],
    );
    return rows[0];
  };
  const given = await newest();
  const before = server.gifts.length;
  await pool.query('delete from entitlement_days where $1 = any (delivery_ids)', [given?.id]);
  await pool.query('delete from delivery_attempts where delivery_id = $1', [given?.id]);
  await pool.query('delete from deliveries where id = $1', [given?.id]);
  await rm(join(lasting.store.home, 'store-incarnation.json'));
  await lasting.store.restart();
  await round();
  await round();
  expect(server.gifts).toHaveLength(before);
  expect(await newest()).toEqual({ id: given?.id, state: 'unknown', desk_reason: 'restored' });
  await nextDay();
  expect(server.gifts).toHaveLength(before + 1);
});

// Guarantee: a kit comes once a day while it lasts, the first on the day of its purchase; days on which the player
// stays away do not pile up; its end and a refund stop it, and a free kit pays nothing back.
test('a kit a day', async () => {
  const { memberId, playerId, name } = await lasting.player(server);
  await lasting.buy(memberId, kit(7));
  await round();
  await round();
  expect(server.gifts).toHaveLength(1);
  await nextDay();
  await round();
  expect(server.gifts).toHaveLength(2);
  lasting.store.leave(playerId);
  await nextDay();
  await nextDay();
  lasting.store.join(server.serverId, playerId, name);
  lasting.store.deliveries.wake([memberId]);
  await lasting.store.deliveries.idle();
  await round();
  expect(server.gifts).toHaveLength(3);
  await nextDay();
  expect(server.gifts).toHaveLength(4);
  for (let days = 0; days < 5; days += 1) await nextDay();
  // On the seventh day after the purchase it is over.
  expect(server.gifts).toHaveLength(6);

  lasting.aheadMs = 0;
  const other = await lasting.player(server);
  const before = await lasting.store.balance(other.memberId);
  const order = await lasting.buy(other.memberId, kit(7));
  await round();
  await nextDay();
  expect(server.gifts).toHaveLength(8);
  await lasting.refund(order);
  expect(await lasting.store.balance(other.memberId)).toBe(before);
  await nextDay();
  expect(server.gifts).toHaveLength(8);
});

// Guarantee: a kit that waits for its player can no longer be fetched once a person has ended its entitlement.
test('a waiting kit when an admin ends it', async () => {
  const { memberId, playerId, name } = await lasting.player(server);
  await lasting.buy(memberId, kit(7));
  await round();
  lasting.store.leave(playerId);
  await nextDay();
  const [found] = await lasting.entitlements.reading.ofMember(memberId);
  lasting.aheadMs = 0;
  await lasting.entitlements.decide.end(found?.id ?? '', { actor: testOwner, address: '127.0.0.1' });
  await lasting.store.deliveries.sweep();
  lasting.store.join(server.serverId, playerId, name);
  lasting.store.deliveries.wake([memberId]);
  await lasting.store.deliveries.idle();
  expect(server.gifts).toHaveLength(1);
  const { rows } = await lasting.store.database.pool.query(
    'select state from deliveries where member_id = $1 order by number',
    [memberId],
  );
  expect(rows).toEqual([{ state: 'delivered' }, { state: 'cancelled' }]);
});

// Guarantee: two processes, or two concurrent checks, give no second kit.
test('two looks at once', async () => {
  const { memberId } = await lasting.player(server);
  await lasting.buy(memberId, kit(7));
  await round();
  lasting.aheadMs = day * 1000;
  const before = server.gifts.length;
  const first = lasting.entitlements;
  lasting.begin();
  await Promise.all([first.round(), lasting.entitlements.round()]);
  await lasting.store.deliveries.idle();
  expect(server.gifts).toHaveLength(before + 1);
  await first[Symbol.asyncDispose]();
});

// Guarantee: the day is the community's, even if it changes earlier or later than in UTC.
test.each([
  ['UTC', '2026-03-01'],
  ['America/Sao_Paulo', '2026-02-28'],
  ['Pacific/Auckland', '2026-03-01'],
])('the day in %s', (zone, expected) => {
  expect(dayIn(zone, new Date('2026-03-01T02:30:00Z'))).toBe(expected);
});
