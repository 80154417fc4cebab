import type { StackHealth } from '#contracts/operations/health.ts';
import type { Log } from '#runtime/log.ts';
import { encodeMessage, type LiveTopic, type Subscriber } from '../../kernel/live/live-topic.ts';

const pollMs = 2000;

/** Sends the health of the stack immediately and on every change; a slow client gets only the latest. */
export const createHealthTopic = (read: () => Promise<StackHealth>, log: Log): LiveTopic => {
  /** What was last sent to each subscriber. */
  const subscribers = new Map<Subscriber, string>();
  let timer: NodeJS.Timeout | undefined;
  let underWay = false;
  let stopped = false;

  const poll = async () => {
    clearTimeout(timer);
    if (underWay) return;
    underWay = true;
    try {
      const health = await read();
      const message = encodeMessage({ type: 'health', health });
      const { uptimeSeconds: _, ...substance } = health;
      const key = JSON.stringify(substance);
      for (const [subscriber, last] of subscribers) {
        if (last === key || !subscriber.isReady()) continue;
        subscriber.send(message);
        subscribers.set(subscriber, key);
      }
    } catch (error) {
      log.error({ err: error }, 'could not read health for the live stream');
    } finally {
      underWay = false;
    }
    if (!stopped && subscribers.size > 0) timer = setTimeout(() => void poll(), pollMs);
  };

  return {
    subscribe(subscriber) {
      subscriber.send(encodeMessage({ type: 'subscribed', topic: 'health', cursor: null, resumed: false }));
      subscribers.set(subscriber, '');
      void poll();
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.dispose]() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
