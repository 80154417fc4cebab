import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Log } from '../log.ts';
import { StartupError } from '../program.ts';

/** Migrations by name, in a static list; names begin with a number and sort in order. */
export type Migrations = Readonly<Record<string, Migration>>;

const migrationTable = 'schema_migrations';
const lockTable = 'schema_migrations_lock';

/**
 * Brings the schema up to date under an advisory lock; all pending migrations commit together or not at all. A schema that a
 * newer version has already expanded is left alone: migrations only expand for one release, so that one can go back to it.
 * @returns the migrations of that newer version, in order; none, unless one has been there
 */
export const migrate = async <Tables>({
  db,
  migrations,
  log,
  beforeChange,
}: {
  readonly db: Kysely<Tables>;
  readonly migrations: Migrations;
  readonly log: Log;
  /** Called before anything changes, if something is to change in a database that is not empty. */
  readonly beforeChange?: (pending: readonly string[]) => Promise<void>;
}): Promise<readonly string[]> => {
  const executed = await executedMigrations(db);
  const pending = Object.keys(migrations).filter((name) => !executed.has(name));
  const unknown = [...executed].filter((name) => !(name in migrations)).toSorted();
  if (pending.length === 0) {
    if (unknown.length > 0)
      log.warn({ migrations: unknown }, 'the database is of a newer version; this one works on it');
    return unknown;
  }
  if (unknown.length > 0)
    throw new StartupError(
      `The database belongs to another version of Castellan: it has ${unknown.join(', ')}, but not ${pending.join(', ')}.`,
    );
  if (executed.size > 0) await beforeChange?.(pending);

  const { error, results = [] } = await withoutTimeLimit(db, (connection) =>
    new Migrator({
      db: connection,
      provider: { getMigrations: async () => ({ ...migrations }) },
      migrationTableName: migrationTable,
      migrationLockTableName: lockTable,
    }).migrateToLatest(),
  );
  if (error) throw error;
  log.info({ migrations: results.map((result) => result.migrationName) }, 'database schema is up to date');
  return unknown;
};

/** Building an index on a large table takes minutes, and a process that starts in between waits for the lock that long. */
const withoutTimeLimit = <Tables, T>(
  db: Kysely<Tables>,
  work: (connection: Kysely<Tables>) => Promise<T>,
): Promise<T> =>
  db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    try {
      return await work(connection);
    } finally {
      await sql`reset statement_timeout`.execute(connection);
    }
  });

const executedMigrations = async <Tables>(db: Kysely<Tables>): Promise<ReadonlySet<string>> => {
  const table = await sql<{
    exists: boolean;
  }>`select to_regclass(${migrationTable}) is not null as exists`.execute(db);
  if (!table.rows[0]?.exists) return new Set();
  const names = await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(db);
  return new Set(names.rows.map(({ name }) => name));
};
