import type { ClientMessage, ServerMessage } from '#contracts/kernel/live.ts';
import { concerns, keyOf, type LiveSubject } from './live-subject.ts';

/**
 * The messages of a topic, beginning with `subscribed` at each new connection; if that was not `resumed`, something may
 * have been missed.
 */
export type LiveListener = (message: ServerMessage) => void;

/** The listeners and their topics, from one connection to the next. */
export interface LiveSubscriptions {
  /**
   * Several listeners of one subject share a subscription.
   * @param since what the listener already has, by the cursor that came with it; what followed comes first
   */
  subscribe(subject: LiveSubject, listener: LiveListener, since?: string | null): () => void;
  /** On a new connection: everything continues where it was. */
  askAll(): void;
  hear(message: ServerMessage): void;
}

interface Subscription {
  readonly subject: LiveSubject;
  readonly listeners: Set<LiveListener>;
  /** The cursor of the last message: after a new connection, the messages continue from it. */
  cursor: string | null;
  /** Listeners that were elsewhere in the topic when another one asked for its own place. */
  readonly displaced: Set<LiveListener>;
}

/** The pause before a topic that the API could not provide is requested again. */
const askAgainMs = 10_000;

/** @param send does nothing while there is no connection */
export const createSubscriptions = (send: (message: ClientMessage) => void): LiveSubscriptions => {
  const subscriptions = new Map<string, Subscription>();
  const again = new WeakMap<Subscription, number>();

  const ask = ({ subject, cursor }: Subscription) =>
    send({ type: 'subscribe', ...subject, ...(cursor !== null && { since: cursor }) } as ClientMessage);

  const tell = ({ listeners, displaced }: Subscription, message: ServerMessage) => {
    for (const listener of listeners) {
      const isDisplaced = message.type === 'subscribed' && displaced.delete(listener);
      try {
        listener(isDisplaced ? { ...message, resumed: false } : message);
      } catch (error) {
        // The others get it all the same: it does not come twice.
        reportError(error);
      }
    }
  };

  /** A topic that the API currently cannot provide is requested again; without a code, we have ended it ourselves. */
  const endOf = (subscription: Subscription, code: string | null) => {
    if (code === null) return;
    clearTimeout(again.get(subscription));
    const askAgain = () => {
      if (subscriptions.get(keyOf(subscription.subject)) === subscription) ask(subscription);
    };
    again.set(subscription, setTimeout(askAgain, askAgainMs));
  };

  return {
    subscribe(subject, listener, since = null) {
      const key = keyOf(subject);
      const known = subscriptions.get(key);
      const subscription = known ?? { subject, listeners: new Set(), cursor: since, displaced: new Set() };
      // When requested again, a topic sends everything it has: the new listener needs it from the beginning.
      if (subscription.cursor !== since)
        for (const other of subscription.listeners) subscription.displaced.add(other);
      subscription.cursor = since;
      subscription.listeners.add(listener);
      subscriptions.set(key, subscription);
      ask(subscription);
      return () => {
        subscription.listeners.delete(listener);
        subscription.displaced.delete(listener);
        if (subscription.listeners.size > 0 || subscriptions.get(key) !== subscription) return;
        subscriptions.delete(key);
        send({ type: 'unsubscribe', ...subject } as ClientMessage);
      };
    },
    askAll() {
      for (const subscription of subscriptions.values()) ask(subscription);
    },
    hear(message) {
      for (const subscription of subscriptions.values()) {
        if (!concerns(message, subscription.subject)) continue;
        if ('cursor' in message && message.cursor !== null) subscription.cursor = message.cursor;
        if (message.type === 'ended') endOf(subscription, message.code);
        tell(subscription, message);
      }
    },
  };
};
