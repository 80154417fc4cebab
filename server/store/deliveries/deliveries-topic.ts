import type { Log } from '#runtime/log.ts';
import { encodeMessage, type Subscriber } from '../../kernel/live/live-topic.ts';

/** All changes within this time share the next message. */
const restMs = 1000;

/** Announces that deliveries changed, with the number at the desk, at most once a second. */
export const createDeliveriesTopic = (options: {
  /** Counts the deliveries that wait for a decision. */
  readonly countDesk: () => Promise<number>;
  readonly restMs?: number;
  readonly log: Log;
}) => {
  /** The last change that each subscriber has received. */
  const subscribers = new Map<Subscriber, number>();
  let changes = 0;
  let timer: NodeJS.Timeout | undefined;
  let underWay = false;
  let stopped = false;

  const schedule = (delayMs: number) => {
    if (timer || underWay || stopped || subscribers.size === 0) return;
    timer = setTimeout(() => void tell(), delayMs);
  };

  const tell = async () => {
    timer = undefined;
    underWay = true;
    const upTo = changes;
    try {
      const message = encodeMessage({ type: 'deliveries', desk: await options.countDesk() });
      for (const [subscriber, told] of subscribers) {
        if (told === upTo || !subscriber.isReady()) continue;
        subscriber.send(message);
        subscribers.set(subscriber, upTo);
      }
    } catch (error) {
      options.log.debug({ err: error }, 'could not count deliveries for the live stream');
    } finally {
      underWay = false;
    }
    if ([...subscribers.values()].some((told) => told < changes)) schedule(options.restMs ?? restMs);
  };

  return {
    /** Call after a change of a delivery has committed. */
    changed(): void {
      changes += 1;
      schedule(options.restMs ?? restMs);
    },
    subscribe(subscriber: Subscriber) {
      subscriber.send(
        encodeMessage({ type: 'subscribed', topic: 'deliveries', cursor: null, resumed: false }),
      );
      subscribers.set(subscriber, -1);
      schedule(0);
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.dispose]() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
