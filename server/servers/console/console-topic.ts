import { storableText } from '#contracts/kernel/storable-text.ts';
import type { ConsoleEntry, LineTraits } from '#contracts/servers/console.ts';
import { encodeMessage, type LiveTopic, type Subscriber } from '../../kernel/live/live-topic.ts';
import type { HiddenSecrets } from './hidden-secrets.ts';

/** Limit for what waits for one client: the newest lines, at most this many and this long together. */
const mostLines = 500;
const mostCharacters = 64 * 1024;
const longestLine = 4000;

interface SentLine extends LineTraits {
  readonly at: string;
  readonly text: string;
}

type LineBuffer = ReturnType<typeof createLineBuffer>;

/** Lines for one client, bounded however fast they come and however slowly it takes them. */
const createLineBuffer = () => {
  let lines: SentLine[] = [];
  let characters = 0;
  let skipped = 0;
  return {
    add({
      at,
      text,
      traits,
    }: {
      readonly at: Date;
      readonly text: string;
      readonly traits: LineTraits;
    }): void {
      const kept = storableText(text, longestLine);
      lines.push({ at: at.toISOString(), text: kept, ...traits });
      characters += kept.length;
      while (lines.length > mostLines || characters > mostCharacters) {
        characters -= lines.shift()?.text.length ?? 0;
        skipped += 1;
      }
    },
    isEmpty: (): boolean => lines.length === 0 && skipped === 0,
    /** Everything that waits, and how many lines before it were left out. */
    take(): { readonly taken: SentLine[]; readonly skipped: number } {
      const all = { taken: lines, skipped };
      lines = [];
      characters = 0;
      skipped = 0;
      return all;
    },
  };
};

/** Lines are sent together at this interval. */
const flushMs = 200;
/** For a client that does not take them: it reads the history when it comes back. */
const mostEntries = 20;
/** An agent is asked for lines for this long, and again in good time. */
const watchSeconds = 60;
const watchAgainMs = 20_000;

/** The live console of one server. */
export interface ConsoleTopic extends LiveTopic {
  /** What the game wrote by itself. */
  lines(serverId: string, lines: readonly ConsoleLine[]): void;
  /** A command was given, or has ended. */
  entry(entry: ConsoleEntry): void;
}

interface ConsoleLine {
  readonly at: Date;
  readonly text: string;
}

interface Subscription {
  readonly subscriber: Subscriber;
  readonly serverId: string;
  readonly lines: LineBuffer;
  entries: ConsoleEntry[];
}

export const createConsoleTopic = (options: {
  readonly servers: { get(id: string): object | null; subscribe(listener: () => void): () => void };
  /** Asks for the lines of a server; 0 seconds: no longer. */
  readonly watch: (serverId: string, seconds: number) => void;
  readonly hiddenSecrets: Pick<HiddenSecrets, 'mask'>;
  readonly traitsOf: (serverId: string, text: string) => LineTraits;
}): ConsoleTopic => {
  const { servers, watch, hiddenSecrets, traitsOf } = options;
  const byServer = new Map<string, Set<Subscription>>();
  let flushing: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;

  const flush = () => {
    flushing = undefined;
    let isLeft = false;
    for (const subscriptions of byServer.values())
      for (const subscription of subscriptions) {
        if (subscription.subscriber.isReady()) send(subscription);
        isLeft ||= subscription.entries.length > 0 || !subscription.lines.isEmpty();
      }
    if (isLeft) schedule();
  };
  const schedule = () => {
    flushing ??= setTimeout(flush, flushMs);
  };

  const watchAgain = () => {
    for (const serverId of byServer.keys()) watch(serverId, watchSeconds);
    watching = byServer.size > 0 ? setTimeout(watchAgain, watchAgainMs).unref() : undefined;
  };

  const add = (subscription: Subscription) => {
    const { serverId } = subscription;
    const present = byServer.get(serverId);
    if (present) return void present.add(subscription);
    byServer.set(serverId, new Set([subscription]));
    watch(serverId, watchSeconds);
    watching ??= setTimeout(watchAgain, watchAgainMs).unref();
  };
  const remove = (subscription: Subscription) => {
    const present = byServer.get(subscription.serverId);
    if (!present?.delete(subscription) || present.size > 0) return;
    byServer.delete(subscription.serverId);
    watch(subscription.serverId, 0);
  };

  const unsubscribe = servers.subscribe(() => {
    for (const [serverId, subscriptions] of byServer) {
      if (servers.get(serverId)) continue;
      for (const subscription of [...subscriptions]) {
        remove(subscription);
        refuse(subscription.subscriber, serverId);
      }
    }
  });

  return {
    subscribe(subscriber, { serverId }) {
      if (serverId === null) throw new TypeError('the console is always that of one server');
      if (!servers.get(serverId)) {
        refuse(subscriber, serverId);
        return { [Symbol.dispose]: () => undefined };
      }
      subscriber.send(
        encodeMessage({ type: 'subscribed', topic: 'console', serverId, cursor: null, resumed: false }),
      );
      const subscription = { subscriber, serverId, lines: createLineBuffer(), entries: [] };
      add(subscription);
      return { [Symbol.dispose]: () => remove(subscription) };
    },
    lines(serverId, lines) {
      const subscriptions = byServer.get(serverId);
      if (!subscriptions) return;
      for (const { at, text } of lines) {
        const line = { at, text: hiddenSecrets.mask(serverId, text), traits: traitsOf(serverId, text) };
        for (const subscription of subscriptions) subscription.lines.add(line);
      }
      schedule();
    },
    entry(entry) {
      const subscriptions = byServer.get(entry.serverId);
      if (!subscriptions) return;
      for (const subscription of subscriptions)
        subscription.entries = [...subscription.entries, entry].slice(-mostEntries);
      schedule();
    },
    [Symbol.dispose]() {
      clearTimeout(flushing);
      clearTimeout(watching);
      unsubscribe();
      byServer.clear();
    },
  };
};

const send = (subscription: Subscription) => {
  const { subscriber, serverId, lines } = subscription;
  const { taken, skipped } = lines.take();
  if (taken.length > 0 || skipped > 0)
    subscriber.send(encodeMessage({ type: 'lines', serverId, lines: taken, skipped }));
  const { entries } = subscription;
  subscription.entries = [];
  for (const [index, entry] of entries.entries()) {
    if (!subscriber.isReady()) {
      subscription.entries = entries.slice(index);
      return;
    }
    subscriber.send(encodeMessage({ type: 'entry', entry }));
  }
};

const refuse = (subscriber: Subscriber, serverId: string) =>
  subscriber.send(
    encodeMessage({
      type: 'ended',
      topic: 'console',
      serverId,
      code: 'NOT_FOUND',
      detail: 'There is no such server in use.',
    }),
  );
