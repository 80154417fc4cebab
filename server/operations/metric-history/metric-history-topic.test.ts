import { expect, test } from 'vitest';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import type { Subscriber } from '../../kernel/live/live-topic.ts';
import { createMetricHistoryTopic } from './metric-history-topic.ts';
import { pointAt, unknownMetrics } from './step.ts';

const subscriberOf = () => {
  const sent: ServerMessage[] = [];
  const state = { isReady: true };
  const subscriber: Subscriber = {
    isReady: () => state.isReady,
    maySee: () => false,
    send: (message) => void sent.push(serverMessage.parse(JSON.parse(message))),
  };
  return { subscriber, sent, state };
};
const wish = { since: null, serverId: null };
const point = (step: number) => pointAt(step * 10_000, unknownMetrics);
const figures = (step: number) => ({ type: 'figures', point: point(step) });

// Guarantee: the newest point is sent immediately, then each as it is taken, until the subscription ends.
test('points', () => {
  using topic = createMetricHistoryTopic();
  const early = subscriberOf();
  const late = subscriberOf();
  using _ = topic.subscribe(early.subscriber, wish);
  topic.publish(point(1));
  const subscription = topic.subscribe(late.subscriber, wish);
  topic.publish(point(2));
  subscription[Symbol.dispose]();
  topic.publish(point(3));
  const subscribed = { type: 'subscribed', topic: 'figures', cursor: null, resumed: false };
  expect(early.sent).toEqual([subscribed, figures(1), figures(2), figures(3)]);
  expect(late.sent).toEqual([subscribed, figures(1), figures(2)]);
});

// Guarantee: a slow subscriber is sent nothing more until it has caught up.
test('a slow subscriber', () => {
  using topic = createMetricHistoryTopic();
  const { subscriber, sent, state } = subscriberOf();
  using _ = topic.subscribe(subscriber, wish);
  state.isReady = false;
  topic.publish(point(1));
  state.isReady = true;
  topic.publish(point(2));
  expect(sent.slice(1)).toEqual([figures(2)]);
});
