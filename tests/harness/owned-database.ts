import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import { fillApiDatabase } from '../../server/kernel/testing/api-database.ts';
import { filledDatabase, type TestDatabase, testDatabase } from './database.ts';

/** Databases with their own role, which is not a superuser: the API refuses to run as one. */

const templateRole = 'owner_of_template';
const newPassword = () => randomBytes(24).toString('base64url');

/** An empty one. */
export const emptyOwnedDatabase = async (): Promise<TestDatabase> => ownedBy(await testDatabase(), null);

/** One that the API has migrated. */
export const ownedDatabase = async (): Promise<TestDatabase> =>
  ownedBy(await filledDatabase('owned_api_template', fill), templateRole);

/** Everything in the template belongs to a role, since what belongs to a superuser cannot be given to another. */
const fill = async (url: Secret): Promise<void> => {
  const password = newPassword();
  await asSuperuser(url, [
    `drop role if exists ${templateRole}`,
    `create role ${templateRole} login password '${password}'`,
    `grant create on schema public to ${templateRole}`,
    `grant create on database ${nameOf(url)} to ${templateRole}`,
  ]);
  const asRole = new URL(url.reveal());
  Object.assign(asRole, { username: templateRole, password });
  await fillApiDatabase(new Secret(asRole.toString()));
};

const ownedBy = async (database: TestDatabase, before: string | null): Promise<TestDatabase> => {
  const url = new URL(database.url.reveal());
  const role = `owner_${randomBytes(6).toString('hex')}`;
  const password = newPassword();
  await asSuperuser(database.url, [
    `create role ${role} login password '${password}'`,
    `alter database ${nameOf(database.url)} owner to ${role}`,
    ...(before === null ? [] : [`reassign owned by ${before} to ${role}`]),
  ]);
  Object.assign(url, { username: role, password });
  url.searchParams.set('connection_limit', '10');
  return {
    url: new Secret(url.toString()),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await asSuperuser(new Secret(inject('postgresUrl')), [`drop role ${role}`]);
    },
  };
};

const nameOf = (url: Secret): string => new URL(url.reveal()).pathname.slice(1);

const asSuperuser = async (url: Secret, statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url.reveal() });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};
