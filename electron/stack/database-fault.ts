import { Client } from 'pg';
import type { Secret } from '#runtime/secret.ts';

const askMs = 5000;

/** Asks the database directly, since an API without a license says nothing about it. Null when it answers. */
export const databaseFault = async (databaseUrl: Secret): Promise<string | null> => {
  const client = new Client({
    connectionString: databaseUrl.reveal(),
    connectionTimeoutMillis: askMs,
    query_timeout: askMs,
  });
  // The failure of the query reports a lost connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return null;
  } catch (error) {
    return `the database does not answer (${(error as { code?: string }).code ?? 'no connection'})`;
  } finally {
    await client.end().catch(() => undefined);
  }
};
