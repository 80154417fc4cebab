import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import { eventually } from '#harness/eventually.ts';
import type { Subscriber } from '../../kernel/live/live-topic.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { createDeliveriesTopic } from './deliveries-topic.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay } from './testing/store-in-play.ts';

const subscriberOf = () => {
  const sent: ServerMessage[] = [];
  const state = { isReady: true };
  const subscriber: Subscriber = {
    isReady: () => state.isReady,
    maySee: () => true,
    send: (message) => void sent.push(serverMessage.parse(JSON.parse(message))),
  };
  const told = () => sent.flatMap((message) => (message.type === 'deliveries' ? [message.desk] : []));
  return { subscriber, sent, told, state };
};

let play: StoreInPlay;
beforeAll(async () => {
  play = await openStoreInPlay();
});
afterAll(() => play.store[Symbol.asyncDispose]());

// Guarantee: a subscriber hears of every change by a message that comes after it, with the number of decisions that wait then.
test('what happens to deliveries is told', async () => {
  const { store } = play;
  const { memberId, serverId, world } = await play.recordingServer();
  const { subscriber, sent, told } = subscriberOf();
  using _ = store.deliveries.topic.subscribe(subscriber);
  await eventually(() => expect(told()).toEqual([0]));
  expect(sent[0]).toMatchObject({ type: 'subscribed', topic: 'deliveries', resumed: false });

  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await play.run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'delivered' });
  await eventually(() => expect(told().length).toBeGreaterThan(1));

  world.crash();
  store.deliveries.onServerBack(serverId);
  await eventually(() => expect(told().at(-1)).toBe(1));
  await store.deliveries.desk.decide([id], 'delivered', by);
  await eventually(() => expect(told().at(-1)).toBe(0));
});

// Guarantee: a flood of changes is a few messages, of which the last comes after the last change; a slow client gets the newest.
test('a flood is told in a few messages', async () => {
  let desk = 0;
  using topic = createDeliveriesTopic({ countDesk: async () => desk, restMs: 100, log: silentLog });
  const [quick, slow] = [subscriberOf(), subscriberOf()];
  using _quick = topic.subscribe(quick.subscriber);
  using _slow = topic.subscribe(slow.subscriber);
  await eventually(() => expect([quick.told(), slow.told()]).toEqual([[0], [0]]));
  slow.state.isReady = false;
  for (; desk < 1000; desk += 1) {
    topic.changed();
    if (desk % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => expect(quick.told().at(-1)).toBe(1000));
  expect(quick.told().length).toBeLessThan(10);
  expect(slow.told()).toEqual([0]);
  slow.state.isReady = true;
  await eventually(() => expect(slow.told()).toEqual([0, 1000]));
});

// Guarantee: an unavailable database ends nothing: the count is sent once it is back.
test('a count that fails is taken again', async () => {
  let isAway = true;
  const countDesk = async () => {
    if (isAway) throw new Error('away');
    return 7;
  };
  using topic = createDeliveriesTopic({ countDesk, restMs: 20, log: silentLog });
  const { subscriber, told } = subscriberOf();
  using _ = topic.subscribe(subscriber);
  topic.changed();
  isAway = false;
  await eventually(() => expect(told()).toEqual([7]));
});
