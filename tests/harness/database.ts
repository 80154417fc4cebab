import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { Secret } from '#runtime/secret.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly url: Secret;
}

/** A new, empty database on the run's Postgres, dropped when disposed. */
export const testDatabase = (): Promise<TestDatabase> => databaseFrom('template1');

/**
 * A new database with the rows from `fill`, dropped when disposed. The first call of a run fills a template of this name,
 * which every call copies: this takes a fraction of the migrations' time.
 */
export const filledDatabase = async (
  template: string,
  fill: (url: Secret) => Promise<void>,
): Promise<TestDatabase> => {
  await asSuperuser(async (client) => {
    // Held until the connection ends: workers that need the same template wait for the one that fills it.
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount !== 0) return;
    const unfinished = `${template}_unfinished`;
    await client.query(`drop database if exists ${unfinished}`);
    await client.query(`create database ${unfinished}`);
    await fill(urlOf(unfinished));
    await client.query(`alter database ${unfinished} rename to ${template}`);
  });
  return databaseFrom(template);
};

const databaseFrom = async (template: string): Promise<TestDatabase> => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  // Writing each page into the WAL, the default, takes ten times as long.
  await asSuperuser((client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return {
    url: urlOf(name),
    [Symbol.asyncDispose]: () =>
      asSuperuser(async (client) => {
        await client.query(`drop database ${name} with (force)`);
      }),
  };
};

const urlOf = (database: string): Secret => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return new Secret(url.toString());
};

const asSuperuser = async <Result>(act: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
};
