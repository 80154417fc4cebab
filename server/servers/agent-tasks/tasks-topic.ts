import { encodeMessage, type LiveTopic, type Subscriber } from '../../kernel/live/live-topic.ts';

/** All changes within this time share the next message. */
const usualRestMs = 500;

/** Announces which servers' tasks, machines, processes or mods have changed; subscribers then read the change. */
export const createTasksTopic = (
  restMs: number = usualRestMs,
): LiveTopic & { changed(serverId: string): void } => {
  /** What each subscriber has not been told yet. */
  const subscribers = new Map<Subscriber, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  const tell = () => {
    timer = undefined;
    for (const [subscriber, unsaid] of subscribers) {
      if (unsaid.size === 0 || !subscriber.isReady()) continue;
      const serverIds = [...unsaid].filter((serverId) => subscriber.maySee(serverId));
      unsaid.clear();
      if (serverIds.length > 0) subscriber.send(encodeMessage({ type: 'agent-tasks', serverIds }));
    }
    if ([...subscribers.values()].some(({ size }) => size > 0)) schedule();
  };
  const schedule = () => {
    timer ??= setTimeout(tell, restMs).unref();
  };

  return {
    changed(serverId) {
      if (subscribers.size === 0) return;
      for (const unsaid of subscribers.values()) unsaid.add(serverId);
      schedule();
    },
    subscribe(subscriber) {
      subscriber.send(
        encodeMessage({ type: 'subscribed', topic: 'agent-tasks', cursor: null, resumed: false }),
      );
      subscriber.send(encodeMessage({ type: 'agent-tasks', serverIds: [] }));
      subscribers.set(subscriber, new Set());
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      subscribers.clear();
    },
  };
};
