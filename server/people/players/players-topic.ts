import { encodeMessage, type LiveTopic, type Subscriber } from '../../kernel/live/live-topic.ts';
import type { Presence } from './presence.ts';

const intervalMs = 1000;

/** Sends who is on every visible server at first, then on those that change; a slow client gets the latest. */
export const createPlayersTopic = (presence: Pick<Presence, 'all'>): LiveTopic => {
  /** Which list of each server was last sent to each subscriber. */
  const subscribers = new Map<Subscriber, Map<string, number>>();
  let timer: NodeJS.Timeout | undefined;

  const serve = (subscriber: Subscriber, sent: Map<string, number>, isFirst: boolean) => {
    if (!subscriber.isReady()) return;
    const visible = presence.all().filter(({ players }) => subscriber.maySee(players.serverId));
    const servers = visible.filter(({ players, number }) => sent.get(players.serverId) !== number);
    // A subscriber who may see a server again gets it again.
    sent.clear();
    for (const { players, number } of visible) sent.set(players.serverId, number);
    if (servers.length > 0 || isFirst)
      subscriber.send(encodeMessage({ type: 'players', servers: servers.map(({ players }) => players) }));
  };

  const stopWhenAlone = () => {
    if (subscribers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    subscribe(subscriber) {
      subscriber.send(encodeMessage({ type: 'subscribed', topic: 'players', cursor: null, resumed: false }));
      const sent = new Map<string, number>();
      subscribers.set(subscriber, sent);
      serve(subscriber, sent, true);
      timer ??= setInterval(() => {
        for (const [one, has] of subscribers) serve(one, has, false);
      }, intervalMs).unref();
      return {
        [Symbol.dispose]() {
          subscribers.delete(subscriber);
          stopWhenAlone();
        },
      };
    },
    [Symbol.dispose]() {
      subscribers.clear();
      stopWhenAlone();
    },
  };
};
