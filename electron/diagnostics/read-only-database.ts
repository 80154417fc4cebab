import { join } from 'node:path';
import { Client } from 'pg';
import { runningPort } from '#runtime/postgres/running-postmaster.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import { postgresFolder } from '../stack/operator-role.ts';

const connectMs = 4000;
const statementMs = 5000;

/** Asks the running database without being able to change it. @throws when it does not run, or does not answer */
export const askDatabase = async <T>(
  home: string,
  { databaseUrl }: Pick<StackConfig, 'databaseUrl'>,
  ask: (client: Client) => Promise<T>,
): Promise<T> => {
  const { port, role, password, database } = readDatabaseUrl(databaseUrl);
  // While ours is down, another program may have its port, and would be shown the password.
  if ((await runningPort(join(postgresFolder(home), 'data'))) !== port)
    throw new Error('the database does not run');
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
    return await ask(client);
  } finally {
    await client.end();
  }
};
