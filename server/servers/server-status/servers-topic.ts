import { encodeMessage, type LiveTopic, type Subscriber } from '../../kernel/live/live-topic.ts';
import type { ServerStatuses } from './server-status.ts';

/** Sends the status of every visible server at first, then of those that change; a slow client gets the latest. */
export const createServersTopic = (statuses: Pick<ServerStatuses, 'all' | 'onSweep'>): LiveTopic => {
  /** Which status of each server was last sent to each subscriber. */
  const subscribers = new Map<Subscriber, Map<string, number>>();

  const serve = (subscriber: Subscriber, sent: Map<string, number>, isFirst: boolean) => {
    if (!subscriber.isReady()) return;
    const all = statuses.all();
    for (const serverId of sent.keys()) if (!all.has(serverId)) sent.delete(serverId);
    const servers = [];
    for (const [serverId, { status, number }] of all) {
      if (!subscriber.maySee(serverId)) {
        // When the permission is granted again, it is sent again.
        sent.delete(serverId);
        continue;
      }
      if (sent.get(serverId) === number) continue;
      servers.push({ serverId, status });
      sent.set(serverId, number);
    }
    if (servers.length > 0 || isFirst) subscriber.send(encodeMessage({ type: 'servers', servers }));
  };

  const stop = statuses.onSweep(() => {
    for (const [subscriber, sent] of subscribers) serve(subscriber, sent, false);
  });
  return {
    subscribe(subscriber) {
      subscriber.send(encodeMessage({ type: 'subscribed', topic: 'servers', cursor: null, resumed: false }));
      const sent = new Map<string, number>();
      subscribers.set(subscriber, sent);
      serve(subscriber, sent, true);
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.dispose]: stop,
  };
};
