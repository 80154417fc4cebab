import pg from 'pg';
import type { Db } from 'pg-boss';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import type { Log } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';

/** Connections that the queues hold beside the pool: the one that listens. */
export const listenConnections = 1;

const firstDelayMs = 250;
const longestDelayMs = 10_000;

/** pg-boss on the pool that the rest of the process uses, plus one connection of its own for notifications. */
export const queueConnection = (pool: pg.Pool, url: Secret, log: Log): Db => ({
  executeSql: (text, values) => pool.query(text, values),
  listen: async (channel, onNotification, onReconnect) =>
    keepListening({ url, channel, onNotification, onListening: onReconnect, log }),
});

interface ListenOptions {
  readonly url: Secret;
  readonly channel: string;
  readonly onNotification: (payload: string) => void;
  readonly onListening: () => void;
  readonly log: Log;
}

/** Listens until closed; a lost connection is made anew for as long as it takes, polling carries the jobs meanwhile. */
const keepListening = ({
  url,
  channel,
  onNotification,
  onListening,
  log,
}: ListenOptions): { close(): Promise<void> } => {
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  let delayMs = firstDelayMs;
  let closed = false;

  const connect = async () => {
    const next = new pg.Client({
      connectionString: splitConnectionLimit(url.reveal()).url,
      application_name: 'castellan-api-listen',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    client = next;
    const lost = (error?: Error) => {
      if (client !== next) return;
      client = null;
      next.end().catch((cause: unknown) => log.debug({ err: cause }, 'a lost connection could not be ended'));
      if (closed) return;
      log.debug({ err: error }, 'not listening for jobs; polling carries on');
      retry = setTimeout(() => void connect(), delayMs).unref();
      delayMs = Math.min(longestDelayMs, delayMs * 2);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ payload }) => payload !== undefined && onNotification(payload));
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      delayMs = firstDelayMs;
      onListening();
    } catch (error) {
      lost(error as Error);
    }
  };
  void connect();

  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
};
