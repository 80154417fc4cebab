import pg from 'pg';
import { backOffDelay } from '#runtime/back-off.ts';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';

interface Subscriber {
  readonly onNotification: (payload: string) => void;
  /** Called each time that listening begins: notifications from before, or while the connection was lost, were not received. */
  readonly onListening: () => void;
}

interface Subscription {
  /** Whether every notification is received at this moment. */
  isListening(): boolean;
  close(): Promise<void>;
}

/** Postgres's notifications, on one connection for the whole process. */
export interface Notifications extends AsyncDisposable {
  listen(channel: string, subscriber: Subscriber): Subscription;
}

/** Connections held outside the pool: one, for LISTEN. */
export const listenConnections = 1;

const backOff = { firstMs: 250, mostMs: 10_000 };

/**
 * Connects at the first subscription and reconnects for as long as it takes. A connection limit of 1 leaves no
 * connection to listen on: subscribers poll, and read what they would otherwise keep.
 */
export const openNotifications = (databaseUrl: Secret, log: Log): Notifications => {
  const { url, limit } = splitConnectionLimit(databaseUrl.reveal());
  const isAllowed = limit === null || limit > listenConnections;
  const subscribers = new Map<Subscriber, string>();
  /** Subscribers whose `listen` was answered on the present connection. */
  let heard = new WeakSet<Subscriber>();
  let client: pg.Client | null = null;
  let ready = false;
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let closed = false;

  const begin = async (on: pg.Client, subscriber: Subscriber, channel: string) => {
    await on.query(`listen ${pg.escapeIdentifier(channel)}`);
    if (client !== on || !subscribers.has(subscriber)) return;
    heard.add(subscriber);
    subscriber.onListening();
  };

  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'castellan-api-listen',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client = next;
    const lost = (error?: Error) => {
      if (client !== next) return;
      client = null;
      ready = false;
      heard = new WeakSet();
      next.end().catch((cause: unknown) => log.debug({ err: cause }, 'could not close a lost connection'));
      if (closed) return;
      log.debug({ err: error }, 'not listening for notifications; still polling');
      failures += 1;
      retry = setTimeout(() => void connect(), backOffDelay(backOff, failures)).unref();
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ channel, payload = '' }) => {
      for (const [subscriber, name] of [...subscribers])
        if (name === channel) subscriber.onNotification(payload);
    });
    try {
      await next.connect();
      ready = true;
      for (const [subscriber, channel] of [...subscribers]) await begin(next, subscriber, channel);
      failures = 0;
    } catch (error) {
      lost(error as Error);
    }
  };

  return {
    listen(channel, subscriber) {
      subscribers.set(subscriber, channel);
      if (!client && retry === undefined && !closed && isAllowed) void connect();
      else if (client && ready) {
        begin(client, subscriber, channel).catch((error: unknown) =>
          log.debug({ err: error }, 'a subscription is waiting for the next connection'),
        );
      }
      return {
        isListening: () => heard.has(subscriber),
        async close() {
          subscribers.delete(subscriber);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
};
