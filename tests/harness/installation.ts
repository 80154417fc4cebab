import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { testDatabase } from './database.ts';
import { type Installation, installOver } from './licensed-home.ts';

export type { ApiProcess, Installation } from './licensed-home.ts';

/** @param lines additional variables for `.env` */
export const install = async (lines: Readonly<Record<string, string>> = {}): Promise<Installation> => {
  await using building = new AsyncDisposableStack();
  const database = building.use(await ownedDatabase());
  const installation = building.use(await installOver(database.url, lines));
  const owned = building.move();
  return { ...installation, [Symbol.asyncDispose]: () => owned.disposeAsync() };
};

/** A database with its own role, which is not a superuser: the API refuses to run as one. */
export const ownedDatabase = async (): Promise<{ readonly url: Secret } & AsyncDisposable> => {
  const database = await testDatabase();
  const url = new URL(database.url.reveal());
  const role = `owner_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(24).toString('base64url');
  const name = url.pathname.slice(1);
  await asSuperuser(
    `create role ${role} login password '${password}'`,
    `alter database ${name} owner to ${role}`,
  );
  Object.assign(url, { username: role, password });
  url.searchParams.set('connection_limit', '10');
  return {
    url: new Secret(url.toString()),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await asSuperuser(`drop role ${role}`);
    },
  };
};

const asSuperuser = async (...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};
