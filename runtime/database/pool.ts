import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';

export interface Database<Tables> extends AsyncDisposable {
  readonly pool: pg.Pool;
  readonly db: Kysely<Tables>;
}

const connectTimeoutMs = 5000;
const statementTimeoutMs = 30_000;
const idleTimeoutMs = 60_000;

/** One pool for all database work of the process; Kysely and pg-boss share it. Connects on first use. */
export const openDatabase = <Tables>(options: {
  /** May carry `connection_limit=N`, which caps all connections of the process. */
  readonly url: Secret;
  /** The name shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly log: Log;
  /** Used when the URL names no limit. */
  readonly defaultConnectionLimit?: number;
  /** Connections that the process holds beside the pool; the limit covers them too. */
  readonly reservedConnections?: number;
  /**
   * A connection held for longer than this is cut, and what runs on it fails as `isDatabaseAway`: a network that drops everything
   * or a frozen server would keep it until TCP gives up.
   */
  readonly holdDeadlineMs?: number;
}): Database<Tables> => {
  const { url, limit } = splitConnectionLimit(options.url.reveal());
  const { holdDeadlineMs } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: Math.max(1, (limit ?? options.defaultConnectionLimit ?? 10) - (options.reservedConnections ?? 0)),
    application_name: options.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: Math.min(statementTimeoutMs, holdDeadlineMs ?? statementTimeoutMs),
    keepAlive: true,
  });
  // The next query replaces a lost idle connection; without a listener the error would end the process.
  pool.on('error', (error) => options.log.warn({ err: error }, 'lost an idle database connection'));
  // The pool itself listens only while a connection is idle; its current holder learns of the loss from its query.
  pool.on('connect', (client) => {
    client.on('error', (error) => options.log.debug({ err: error }, 'lost a database connection'));
  });
  if (holdDeadlineMs !== undefined) cutHeldTooLong(pool, holdDeadlineMs);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    pool,
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      // Kysely ends a pool only if it has used it.
      if (!pool.ending) await pool.end();
    },
  };
};

/** Not pg's `query_timeout`: that hands the connection to the next user with its statement still running. */
const cutHeldTooLong = (pool: pg.Pool, deadlineMs: number): void => {
  const timers = new WeakMap<pg.PoolClient, NodeJS.Timeout>();
  pool.on('acquire', (client) => {
    timers.set(
      client,
      setTimeout(() => void client.end(), deadlineMs),
    );
  });
  pool.on('release', (_error, client) => clearTimeout(timers.get(client)));
};

/** Takes `connection_limit=N` out of the URL; Postgres itself does not know it. */
export const splitConnectionLimit = (text: string): { url: string; limit: number | null } => {
  const url = new URL(text);
  const limit = url.searchParams.get('connection_limit');
  url.searchParams.delete('connection_limit');
  return { url: url.toString(), limit: limit === null ? null : Number(limit) };
};

/** The database cannot be reached, is shutting down, or can only be read (25006) for now; the statement itself is fine. */
export const isDatabaseAway = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  if (code && /^(?:ECONN|EPIPE|ETIMEDOUT|08|57P0|25006)/.test(code)) return true;
  return /connection terminated|could not open shared memory segment|timeout exceeded when trying to connect|server closed the connection|not queryable/i.test(
    message ?? '',
  );
};

export const ping = async <Tables>(db: Kysely<Tables>): Promise<void> => {
  await db.executeQuery(CompiledQuery.raw('select 1'));
};
