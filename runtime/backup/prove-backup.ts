import { join } from 'node:path';
import type pg from 'pg';
import type { Cluster } from '../postgres/cluster.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';
import { findDamagedPage } from '../postgres/damaged-page.ts';
import { checkEnds, checkStructure, reading, readTables, systemSchemas } from './read-database.ts';
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
        const tables = await readTables(client, database, signal);
        await checkStructure(client, database);
        await checkEnds(client, database, tables);
        const ours = tables.filter(({ kind, schema }) => kind !== 'm' && !systemSchemas.includes(schema));
        const rows = Object.fromEntries(ours.map(({ schema, name, rows }) => [`${schema}.${name}`, rows]));
        if (isOurs) found = { migrations: await readMigrations(client), rows };
      });
    if (found === null && name !== null) throw new Error(`there is no database ${name} in it`);
    return found;
  });
  const fault = await findDamagedPage(join(trial.folder, 'data'), hasChecksums);
  if (fault !== null) throw new DamagedDatabaseError(fault);
  return proof;
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
