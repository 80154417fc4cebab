import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { createLineEvents, type LineEvents } from './line-events.ts';

let events: LineEvents<number>;
/** What was passed on, batch by batch. */
let batches: { readonly serverId: string; readonly events: readonly number[] }[];
let observe: () => Promise<void>;

beforeEach(() => {
  batches = [];
  observe = async () => undefined;
  events = createLineEvents<number>({
    observe(serverId, batch) {
      batches.push({ serverId, events: batch });
      return observe();
    },
    log: silentLog,
    mostWaiting: 250,
    retryMs: 1,
  });
});
afterEach(() => events[Symbol.asyncDispose]());

const away = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
const handedOn = () => batches.flatMap((batch) => batch.events);

// Guarantee: however fast a game writes, one batch of it is under way, in order, and a bounded number waits; others are
// not delayed.
test('a flood', async () => {
  const end = Promise.withResolvers<void>();
  observe = () => end.promise;
  for (let index = 0; index < 100_000; index += 1) events.take('one', index);
  events.take('two', 7);
  expect(batches).toEqual([
    { serverId: 'one', events: [0] },
    { serverId: 'two', events: [7] },
  ]);
  end.resolve();
  await eventually(() => expect(handedOn()).toHaveLength(252));
  expect(handedOn().slice(2)).toEqual(Array.from({ length: 250 }, (_, index) => 99_750 + index));
  expect(batches.slice(2).map((batch) => batch.events.length)).toEqual([100, 100, 50]);
});

// Guarantee: what comes while the database is unavailable is passed on again, in order, when it is back; any other
// fault costs only its batch.
test('the database goes away', async () => {
  observe = away;
  events.take('one', 1);
  events.take('one', 2);
  await eventually(() => expect(batches.length).toBeGreaterThan(3));
  observe = async () => undefined;
  batches = [];
  await eventually(() => expect(handedOn()).toEqual([1, 2]));
  observe = () => Promise.reject(new Error('of another kind'));
  events.take('one', 3);
  await eventually(() => expect(handedOn()).toEqual([1, 2, 3]));
  observe = async () => undefined;
  events.take('one', 4);
  await eventually(() => expect(handedOn()).toEqual([1, 2, 3, 4]));
});

// Guarantee: shutdown waits for no database.
test('the end', async () => {
  observe = away;
  events.take('one', 1);
  await events[Symbol.asyncDispose]();
  expect(handedOn().length).toBeGreaterThan(0);
});
