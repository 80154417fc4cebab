import type { Kysely } from 'kysely';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import { withoutAddress } from '../access/sees-addresses.ts';
import type { Tables } from '../database/tables.ts';
import { encodeMessage, type LiveTopic, type Subscriber } from '../live/live-topic.ts';
import {
  canResume,
  decodeFeedCursor,
  encodeFeedCursor,
  type FeedPosition,
  readFeed,
  readFeedHorizon,
} from './event-feed.ts';

/** How often the event log is queried while anyone listens; it is not queried otherwise. */
const pollMs = 200;
const pollAfterFaultMs = 2000;
/** Events per message. */
const eventsAtOnce = 200;
/** A client that has missed more reads the list again. */
const mostMissed = 10_000;

interface Subscription {
  readonly subscriber: Subscriber;
  readonly since: string | null;
  /** Null until it is answered. */
  position: FeedPosition | null;
}

/**
 * Sends events after their commit. Each subscription has its own position in the feed; those at the same one, in
 * practice all, share one reading. A subscriber that is not ready falls behind and catches up later, from the log and
 * not from memory.
 */
export const createEventsTopic = (db: Kysely<Tables>, log: Log): LiveTopic => {
  const subscriptions = new Set<Subscription>();
  let timer: NodeJS.Timeout | undefined;
  let underWay = false;
  let stopped = false;

  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    if (stopped || underWay || subscriptions.size === 0) return;
    timer = setTimeout(() => void poll(), delayMs);
  };

  const poll = async () => {
    underWay = true;
    let delayMs = pollMs;
    try {
      const isMore = await serve();
      if (isMore) delayMs = 0;
    } catch (error) {
      delayMs = pollAfterFaultMs;
      if (isDatabaseAway(error)) log.debug({ err: error }, 'no events while the database is unavailable');
      else log.error({ err: error }, 'could not read events for the live stream');
    } finally {
      underWay = false;
    }
    schedule(delayMs);
  };

  /** One round. @returns whether a ready subscriber has not received everything */
  const serve = async (): Promise<boolean> => {
    const horizon = await readFeedHorizon(db);
    for (const subscription of subscriptions) if (!subscription.position) await begin(subscription, horizon);
    let isMore = false;
    for (const [position, group] of byPosition(subscriptions)) {
      const { events, end, isCut } = await readFeed(db, position, horizon, eventsAtOnce);
      const cursor = encodeFeedCursor(end);
      const encode = (told: typeof events) => encodeMessage({ type: 'events', events: told, cursor });
      const whole = events.length > 0 ? encode(events) : null;
      const masked = events.length > 0 ? encode(events.map(withoutAddress)) : null;
      for (const subscription of group) {
        subscription.position = end;
        const message = subscription.subscriber.seesAddresses?.() ? whole : masked;
        if (message && subscriptions.has(subscription)) subscription.subscriber.send(message);
      }
      isMore ||= isCut;
    }
    return isMore;
  };

  const begin = async (subscription: Subscription, horizon: FeedPosition) => {
    const since = subscription.since === null ? null : decodeFeedCursor(subscription.since);
    const resumed = since !== null && (await canResume(db, since, horizon, mostMissed));
    const position = resumed ? since : horizon;
    subscription.position = position;
    const cursor = encodeFeedCursor(position);
    if (subscriptions.has(subscription))
      subscription.subscriber.send(encodeMessage({ type: 'subscribed', topic: 'events', cursor, resumed }));
  };

  return {
    subscribe(subscriber, { since }) {
      const subscription: Subscription = { subscriber, since, position: null };
      subscriptions.add(subscription);
      schedule(0);
      return { [Symbol.dispose]: () => void subscriptions.delete(subscription) };
    },
    [Symbol.dispose]() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};

/** Ready subscriptions, by position. */
const byPosition = (subscriptions: Iterable<Subscription>): Iterable<[FeedPosition, Subscription[]]> => {
  const groups = new Map<string, [FeedPosition, Subscription[]]>();
  for (const subscription of subscriptions) {
    const { position, subscriber } = subscription;
    if (!position || !subscriber.isReady()) continue;
    const key = encodeFeedCursor(position);
    const group = groups.get(key);
    if (group) group[1].push(subscription);
    else groups.set(key, [position, [subscription]]);
  }
  return groups.values();
};
