import pg from 'pg';
import type { Secret } from '#runtime/secret.ts';

export interface SqlSession extends AsyncDisposable {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

/** One connection for a test's own statements. */
export const sqlSession = async (url: Secret | string): Promise<SqlSession> => {
  const client = new pg.Client({ connectionString: typeof url === 'string' ? url : url.reveal() });
  // Some tests kill the database on purpose; the next query reports it.
  client.on('error', () => void client.end());
  await client.connect();
  return {
    query: async (text, values) => (await client.query(text, values)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
};
