import { Client } from 'pg';
import type { StackConfig } from '#runtime/stack-config.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';

const connectMs = 4000;
const statementMs = 5000;

/** The size of the database, and its migrations; read only, none of its rows. */
const questions = {
  version: 'select version()',
  bytes: 'select pg_database_size(current_database())::text as bytes',
  connections:
    'select state, count(*)::int as count from pg_stat_activity where datname = current_database() group by 1',
  migrations: 'select name, timestamp from public.schema_migrations order by name',
  tables: `select schemaname || '.' || relname as name, n_live_tup::text as rows_about,
      pg_total_relation_size(relid)::text as bytes
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 60`,
} as const;

/** @throws when it does not answer */
export const readDatabaseFacts = async ({ databaseUrl }: StackConfig): Promise<object> => {
  const { port, role, password, database } = readDatabaseUrl(databaseUrl);
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: role,
    password: password.reveal(),
    database,
    application_name: 'castellan diagnostics',
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs,
    options: '-c default_transaction_read_only=on',
  });
  // Without a listener, a lost connection would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const facts: Record<string, unknown> = {};
    for (const [name, question] of Object.entries(questions))
      facts[name] = await client.query(question).then(
        ({ rows }) => rows,
        (error: Error) => `could not be collected: ${error.message}`,
      );
    return facts;
  } finally {
    await client.end();
  }
};
