import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeliveryLine } from '#contracts/store.ts';
import { dayIn } from './daily-kits.ts';
import { day, type LastingStore, openLastingStore, type RankedServer } from './testing/lasting-store.ts';

let lasting: LastingStore;
let server: RankedServer;
beforeAll(async () => {
  lasting = await openLastingStore();
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
const nextDay = async () => {
  await lasting.pass(day);
  await round();
};

// Guarantee: a kit comes once a day while it lasts, the first on the day of its purchase; days on which the player stays away
// do not pile up; its end and a refund stop it, and what came for nothing pays nothing back.
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

  const before = await lasting.store.balance(memberId);
  const order = await lasting.buy(memberId, kit(7));
  await nextDay();
  expect(server.gifts).toHaveLength(8);
  await lasting.refund(order);
  expect(await lasting.store.balance(memberId)).toBe(before);
  await nextDay();
  expect(server.gifts).toHaveLength(8);
});

// Guarantee: two processes, or two looks at once, give no second kit.
test('two looks at once', async () => {
  const { memberId } = await lasting.player(server);
  await lasting.buy(memberId, kit(7));
  await round();
  await lasting.pass(day);
  const before = server.gifts.length;
  const first = lasting.entitlements;
  lasting.begin();
  await Promise.all([first.round(), lasting.entitlements.round()]);
  await lasting.store.deliveries.idle();
  expect(server.gifts).toHaveLength(before + 1);
  await first[Symbol.asyncDispose]();
});

// Guarantee: the day is the community's, also where it changes earlier or later than in UTC.
test.each([
  ['UTC', '2026-03-01'],
  ['America/Sao_Paulo', '2026-02-28'],
  ['Pacific/Auckland', '2026-03-01'],
])('the day in %s', (zone, expected) => {
  expect(dayIn(zone, new Date('2026-03-01T02:30:00Z'))).toBe(expected);
});
