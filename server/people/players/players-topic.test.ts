import { expect, test } from 'vitest';
import type { ServerPlayers } from '#contracts/people/players.ts';
import { eventually } from '#harness/eventually.ts';
import type { Subscriber } from '../../kernel/live/live-topic.ts';
import { createPlayersTopic } from './players-topic.ts';

const players = (serverId: string): ServerPlayers => ({ serverId, players: [], source: 'agent', asOf: null });

const subscriberOf = (visible: ReadonlySet<string>) => {
  const sent: string[][] = [];
  const state = { isReady: true, kinds: [] as string[] };
  const subscriber: Subscriber = {
    isReady: () => state.isReady,
    maySee: (serverId) => visible.has(serverId),
    send(text) {
      const message = JSON.parse(text) as { type: string; servers?: ServerPlayers[] };
      state.kinds.push(message.type);
      if (message.servers) sent.push(message.servers.map(({ serverId }) => serverId));
    },
  };
  return { subscriber, sent, state };
};

const topicOf = (numbers: Map<string, number>) =>
  createPlayersTopic({ all: () => [...numbers].map(([id, number]) => ({ players: players(id), number })) });
const wish = { since: null, serverId: null };

// Guarantee: sends all visible servers at first, then changes, once a second at most, and only to those who may see them at
// that time.
test('changes', async () => {
  const numbers = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
  using topic = topicOf(numbers);
  const visible = new Set(['a', 'b']);
  const { subscriber, sent, state } = subscriberOf(visible);
  using _ = topic.subscribe(subscriber, wish);
  expect(state.kinds).toEqual(['subscribed', 'players']);
  expect(sent).toEqual([['a', 'b']]);
  for (let number = 2; number < 50; number += 1) numbers.set('a', number);
  numbers.set('c', 2);
  await eventually(() => expect(sent).toEqual([['a', 'b'], ['a']]));
  visible.add('c');
  visible.delete('a');
  numbers.set('a', 51);
  await eventually(() => expect(sent.slice(2)).toEqual([['c']]));
  visible.add('a');
  await eventually(() => expect(sent.slice(3)).toEqual([['a']]));
});

// Guarantee: a slow subscriber gets nothing until it has caught up, and then the latest, once.
test('a slow subscriber', async () => {
  const numbers = new Map([['a', 1]]);
  using topic = topicOf(numbers);
  const slow = subscriberOf(new Set(['a']));
  const quick = subscriberOf(new Set(['a']));
  using _slow = topic.subscribe(slow.subscriber, wish);
  using _quick = topic.subscribe(quick.subscriber, wish);
  slow.state.isReady = false;
  for (const number of [2, 3]) {
    numbers.set('a', number);
    await eventually(() => expect(quick.sent).toHaveLength(number));
  }
  expect(slow.sent).toHaveLength(1);
  slow.state.isReady = true;
  await eventually(() => expect(slow.sent).toHaveLength(2));
});

// Guarantee: a subscriber who sees no server is told so instead of being left waiting.
test('nothing to see', () => {
  using topic = topicOf(new Map([['a', 1]]));
  const { subscriber, sent } = subscriberOf(new Set());
  using _ = topic.subscribe(subscriber, wish);
  expect(sent).toEqual([[]]);
});
