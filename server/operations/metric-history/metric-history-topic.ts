import type { MetricPoint } from '#contracts/operations/metric-history.ts';
import {
  type EncodedMessage,
  encodeMessage,
  type LiveTopic,
  type Subscriber,
} from '../../kernel/live/live-topic.ts';

interface MetricHistoryTopic extends LiveTopic {
  publish(point: MetricPoint): void;
}

/** Sends the newest point immediately and then each new one; a slow client has gaps and reads the hour again. */
export const createMetricHistoryTopic = (): MetricHistoryTopic => {
  const subscribers = new Set<Subscriber>();
  let newest: EncodedMessage | null = null;
  return {
    publish(point) {
      newest = encodeMessage({ type: 'figures', point });
      for (const subscriber of subscribers) if (subscriber.isReady()) subscriber.send(newest);
    },
    subscribe(subscriber) {
      subscriber.send(encodeMessage({ type: 'subscribed', topic: 'figures', cursor: null, resumed: false }));
      if (newest) subscriber.send(newest);
      subscribers.add(subscriber);
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.dispose]: () => subscribers.clear(),
  };
};
