import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { Secret } from '#runtime/secret.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly url: Secret;
}

/** A new, empty database on the run's Postgres, dropped when disposed. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asSuperuser(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    url: new Secret(url.toString()),
    [Symbol.asyncDispose]: () => asSuperuser(`drop database ${name} with (force)`),
  };
};

const asSuperuser = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};
