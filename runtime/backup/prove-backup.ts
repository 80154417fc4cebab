import { join } from 'node:path';
import pg from 'pg';
import { healthReasons } from '#contracts/health-reasons.ts';
import { type CopyLimits, inTime } from '../postgres/backup.ts';
import type { Cluster } from '../postgres/cluster.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';
import { findDamagedPage } from '../postgres/damaged-page.ts';
import { type ScratchOptions, withScratchCluster } from './scratch-cluster.ts';

export interface DatabaseProof {
  readonly migrations: string[];
  /** How many rows each table has. */
  readonly rows: Record<string, number>;
}

export interface BackupTrial extends ScratchOptions {
  /** The database of the program; null: it is not known, as in a backup of the database alone. */
  readonly name: string | null;
  /** Called with a connection to that database, before it is read. */
  readonly inspect?: (client: pg.ClientBase) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a cluster from a copy of a backup and reads it: each row of each table of each database, with the system catalogs, each
 * index, and then, stopped, each page.
 * @returns what the program's database holds
 * @throws {DamagedDatabaseError} for what Postgres did not write so
 * @throws when it does not start, and when our schema is not in it
 */
export const proveBackup = async (trial: BackupTrial): Promise<DatabaseProof | null> => {
  const { name, inspect, signal } = trial;
  let hasChecksums = true;
  const proof = await withScratchCluster(trial, async (cluster) => {
    let found: DatabaseProof | null = null;
    const databases = await withDatabase(cluster, undefined, async (client) => {
      const { rows } = await client.query<{ setting: string }>(
        `select current_setting('data_checksums') as setting`,
      );
      hasChecksums = rows[0]?.setting === 'on';
      const all = await client.query<{ name: string }>(
        'select datname as name from pg_database where datallowconn order by 1',
      );
      return all.rows.map((row) => row.name);
    });
    for (const database of databases)
      await withDatabase(cluster, database, async (client) => {
        const isOurs = database === name;
        if (isOurs) await inspect?.(client);
        const rows = await readTables(client, database, signal);
        await checkStructure(client, database);
        if (isOurs) found = { migrations: await readMigrations(client), rows };
      });
    if (found === null && name !== null) throw new Error(`there is no database ${name} in it`);
    return found;
  });
  const fault = await findDamagedPage(join(trial.folder, 'data'), hasChecksums);
  if (fault !== null) throw new DamagedDatabaseError(fault);
  return proof;
};

/** Classes of SQLSTATE that tell of the connection, of a missing relation, of resources and of a stop, and not of the data. */
const otherClasses = ['08', '42', '53', '57'];

/** What Postgres says of data that it cannot make sense of; null for every other error. */
export const damageIn = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && !otherClasses.includes(error.code?.slice(0, 2) ?? '')
    ? `${error.message}.`
    : null;

/**
 * Does work that reads a relation.
 * @throws {DamagedDatabaseError} if Postgres cannot make sense of what it reads
 */
const reading = async <T>(database: string, relation: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const why = damageIn(error);
    if (why === null) throw error;
    throw new DamagedDatabaseError(healthReasons['damaged-relation'](database, relation, why), {
      cause: error,
    });
  }
};

const withDatabase = async <T>(
  cluster: Cluster,
  name: string | undefined,
  work: (client: pg.ClientBase) => Promise<T>,
): Promise<T> => {
  const client = await reading(name ?? 'postgres', 'pg_catalog', () => cluster.connect(name));
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const readMigrations = async (client: pg.ClientBase): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
};

/** @returns how many rows each of our tables has; partitioned ones as the sum of their parts */
const readTables = async (
  client: pg.ClientBase,
  database: string,
  signal: AbortSignal | undefined,
): Promise<Record<string, number>> => {
  const tables = await reading(database, 'pg_class', () =>
    client.query<{ schema: string; name: string; quoted: string; kind: string }>(
      `select nspname as schema, relname as name, format('%I.%I', nspname, relname) as quoted, relkind as kind
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'm', 'p') and relpersistence <> 't' order by nspname || '.' || relname`,
    ),
  );
  const counts: Record<string, number> = {};
  for (const batch of batchesOf(tables.rows)) {
    signal?.throwIfAborted();
    // Copying reads what counting does not: each page, and values that are stored apart. pg drops what arrives.
    const statements = batch.map(({ quoted, kind }) =>
      kind === 'p' ? `select count(*)::int from ${quoted}` : `copy ${quoted} to stdout`,
    );
    const results = await reading(database, 'its tables', () =>
      queryAll<{ count: number }>(client, statements),
    );
    for (const [index, { schema, name, kind }] of batch.entries())
      if (kind !== 'm' && !['pg_catalog', 'information_schema'].includes(schema))
        counts[`${schema}.${name}`] = results[index]?.rows[0]?.count ?? results[index]?.rowCount ?? 0;
  }
  return counts;
};

const batchSize = 32;

const batchesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / batchSize) }, (_, index) =>
    all.slice(index * batchSize, (index + 1) * batchSize),
  );

/** In one round trip; there are hundreds of small tables. */
const queryAll = async <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statements: readonly string[],
): Promise<pg.QueryResult<Row>[]> => {
  const results: unknown = await client.query(statements.join(';'));
  // pg returns a list only for more than one statement.
  return (Array.isArray(results) ? results : [results]) as pg.QueryResult<Row>[];
};

/**
 * Counts the rows of each of these tables, as Postgres does it soonest.
 * @param tables quoted names
 */
export const countRows = async (
  client: pg.ClientBase,
  tables: readonly string[],
  limits: CopyLimits,
): Promise<void> => {
  for (const batch of batchesOf(tables)) {
    limits.signal?.throwIfAborted();
    const statements = batch.map((name) => `select count(*) from ${name}`);
    await inTime(queryAll(client, statements), limits);
  }
};

const ofLastingRelations = `relpersistence <> 't'`;

/** Whether the indexes fit their tables, and the tables' rows and the values that are stored apart fit each other. */
const checkStructure = async (client: pg.ClientBase, database: string): Promise<void> => {
  // Rolled back, since a restored cluster stays as it was.
  await client.query('begin');
  await client.query('create extension if not exists amcheck');
  const heaps = await reading(database, 'its tables', () =>
    client.query<{ name: string; msg: string }>(
      `select pg_class.oid::regclass::text as name, msg from pg_class,
         lateral verify_heapam(pg_class.oid::regclass, check_toast => true)
       where relkind in ('r', 'm', 't') and ${ofLastingRelations} limit 1`,
    ),
  );
  const [heap] = heaps.rows;
  if (heap) throw new DamagedDatabaseError(healthReasons['damaged-relation'](database, heap.name, heap.msg));
  const indexes = `from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where relkind = 'i' and indisvalid and indisready and ${ofLastingRelations}`;
  await reading(database, 'its indexes', () =>
    client.query(
      `select bt_index_check(indexrelid::regclass, heapallindexed => true) ${indexes} and amname = 'btree'`,
    ),
  );
  await reading(database, 'its indexes', () =>
    client.query(`select gin_index_check(indexrelid::regclass) ${indexes} and amname = 'gin'`),
  );
  await client.query('rollback');
};
