import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { type SevenDaysSimulator, startSevenDays } from '../../../tests/simulators/seven-days-simulator.ts';
import { diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
let game: SevenDaysSimulator;
let serverId: string;
beforeAll(async () => {
  play = await openStoreInPlay({ answerMs: 15_000 });
  store = play.store;
  game = await startSevenDays();
  serverId = await store.server('seven-days-to-die', game);
  await eventually(() => expect(store.ways.open(serverId)).not.toBeNull());
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await game[Symbol.asyncDispose]();
});

/** The game owes its reply for so long. */
const slowMs = 1200;

const wood = { ...diamond(), item: 'resourceWood' };
const present = async () => {
  const name = play.newName();
  game.world.join(name);
  const member = await store.member(name, 'seven-days-to-die');
  store.join(serverId, member.playerId, name);
  return { name, ...member };
};
const buy = async (memberId: string): Promise<string> => {
  const [id = ''] = await store.buy(memberId, 'seven-days-to-die', [wood], { serverIds: [serverId] });
  return id;
};
const givenTo = (name: string) => game.world.given.filter(({ player }) => player === name).length;
/** The game has carried a gift out and still owes the reply. */
const inFlight = async (id: string, name: string) => {
  await eventually(async () => {
    expect(await store.row(id)).toMatchObject({ state: 'sending' });
    expect(givenTo(name)).toBe(1);
  });
};

// Guarantee: another process leaves a gift in flight alone, and gives the member's next one once that has ended.
test('another process wakes the member of a gift in flight', async () => {
  const { name, memberId } = await present();
  await using other = await store.beside(store.process());
  game.quirks.replyDelayMs = slowMs;
  const id = await buy(memberId);
  store.deliveries.wake([memberId]);
  await inFlight(id, name);
  other.wake([memberId]);
  await other.sweep();
  await other.idle();
  await store.deliveries.idle();
  game.quirks.replyDelayMs = 0;
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'proven', attempts: 1 });
  const next = await buy(memberId);
  other.wake([memberId]);
  await other.idle();
  expect(await store.row(next)).toMatchObject({ state: 'delivered', attempts: 1 });
  expect(givenTo(name)).toBe(2);
});

// Guarantee: what a process held that is known to have ended is recovered at once; if that process was only asleep, its
// answer still settles the delivery.
test('a process that was taken for dead wakes with the answer', async () => {
  const { name, memberId } = await present();
  game.quirks.replyDelayMs = slowMs;
  const id = await buy(memberId);
  store.deliveries.wake([memberId]);
  await inFlight(id, name);
  await using other = await store.beside(store.process(store.ways.leases.processId));
  await other.idle();
  other.wake([memberId]);
  await other.idle();
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' });
  await store.deliveries.idle();
  game.quirks.replyDelayMs = 0;
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'proven', attempts: 1 });
});

// Guarantee: a process whose lease has run out sends nothing new, and the delivery goes when it may.
test('a holder without a lease sends nothing', async () => {
  const { name, memberId } = await present();
  let isAsleep = true;
  const ways = store.process();
  const { leases } = ways;
  await using other = await store.beside({
    ...ways,
    async prepare(trx, sendings) {
      const prepared = await ways.prepare(trx, sendings);
      // As if it had slept before the first byte left.
      if (isAsleep) for (const { id } of sendings) leases.release([id]);
      return prepared;
    },
  });
  const id = await buy(memberId);
  other.wake([memberId]);
  await eventually(async () => expect(await store.row(id)).toMatchObject({ attempts: 1 }));
  await other.idle();
  expect(await store.row(id)).toMatchObject({ state: 'waiting' });
  expect(givenTo(name)).toBe(0);
  isAsleep = false;
  await store.database.pool.query('update deliveries set next_try_at = now() where id = $1', [id]);
  other.wake([memberId]);
  await other.idle();
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'proven' });
  expect(givenTo(name)).toBe(1);
});
