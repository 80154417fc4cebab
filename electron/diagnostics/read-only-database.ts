import { Client } from 'pg';
import type { StackConfig } from '#runtime/stack-config.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';

const connectMs = 4000;
const statementMs = 5000;

/** Asks the running database without being able to change it. @throws when it does not answer */
export const askDatabase = async <T>(
  { databaseUrl }: Pick<StackConfig, 'databaseUrl'>,
  ask: (client: Client) => Promise<T>,
): Promise<T> => {
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
    return await ask(client);
  } finally {
    await client.end();
  }
};
