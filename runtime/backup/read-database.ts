import pg from 'pg';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { type CopyLimits, inTime } from '../postgres/backup.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';

/**
 * Classes of SQLSTATE that tell of the data itself: values that are none of their type (22), files that are missing or cannot be read
 * (58), and pages, rows and indexes that contradict themselves (XX).
 */
const classesOfDamage = ['22', '58', 'XX'];

/** What Postgres says of data that it cannot make sense of; null for every other error. */
export const damageIn = (error: unknown): string | null =>
  error instanceof pg.DatabaseError && classesOfDamage.includes(error.code?.slice(0, 2) ?? '')
    ? `${error.message}.`
    : null;

/**
 * Does work that reads a relation.
 * @throws {DamagedDatabaseError} if Postgres cannot make sense of what it reads
 */
export const reading = async <T>(database: string, relation: string, work: () => Promise<T>): Promise<T> => {
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

export const systemSchemas = ['pg_catalog', 'information_schema'];

interface Table {
  readonly schema: string;
  readonly name: string;
  readonly quoted: string;
  /** As in `pg_class.relkind`. */
  readonly kind: string;
  /** Whether an index has an entry for each of its rows. */
  readonly isIndexed: boolean;
}

interface ReadTable extends Table {
  /** Of a partitioned one the sum of its parts. */
  readonly rows: number;
}

export const readTables = async (
  client: pg.ClientBase,
  database: string,
  signal: AbortSignal | undefined,
): Promise<ReadTable[]> => {
  const tables = await reading(database, 'pg_class', () =>
    client.query<Table>(
      `select nspname as schema, relname as name, format('%I.%I', nspname, relname) as quoted, relkind as kind,
         exists (select from pg_index join pg_class index on index.oid = indexrelid join pg_am on pg_am.oid = index.relam
           where indrelid = pg_class.oid and indisvalid and indpred is null and amname = 'btree') as "isIndexed"
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'm', 'p') and relpersistence <> 't' order by nspname || '.' || relname`,
    ),
  );
  const read: ReadTable[] = [];
  for (const batch of batchesOf(tables.rows)) {
    signal?.throwIfAborted();
    // Copying reads what counting does not: each page, and values that are stored apart. pg drops what arrives.
    const statements = batch.map(({ quoted, kind }) =>
      kind === 'p' ? `select count(*)::int from ${quoted}` : `copy ${quoted} to stdout`,
    );
    const results = await reading(database, 'its tables', () =>
      queryAll<{ count: number }>(client, statements),
    );
    for (const [index, table] of batch.entries())
      read.push({ ...table, rows: results[index]?.rows[0]?.count ?? results[index]?.rowCount ?? 0 });
  }
  return read;
};

/** A table whose file ends too early has lost rows that its index still lists. */
export const checkEnds = async (
  client: pg.ClientBase,
  database: string,
  tables: readonly ReadTable[],
): Promise<void> => {
  const indexed = tables.filter(({ kind, isIndexed }) => kind !== 'p' && isIndexed);
  await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
  for (const batch of batchesOf(indexed)) {
    const statements = batch.map(({ quoted }) => `select count(*)::int as count from ${quoted}`);
    const results = await reading(database, 'its tables', () =>
      queryAll<{ count: number }>(client, statements),
    );
    for (const [index, { quoted, rows }] of batch.entries()) {
      const listed = results[index]?.rows[0]?.count ?? 0;
      if (listed !== rows)
        throw new DamagedDatabaseError(healthReasons['damaged-table-end'](quoted, database, rows, listed));
    }
  }
  await client.query('rollback');
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
export const checkStructure = async (client: pg.ClientBase, database: string): Promise<void> => {
  // Rolled back: a restored cluster must not change.
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
