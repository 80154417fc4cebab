import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { operatorRole } from '#contracts/kernel/product.ts';
import { type Cluster, provisionDeadlineMs } from '#runtime/postgres/cluster.ts';
import type { Secret } from '#runtime/secret.ts';
import type { DatabaseTarget } from './database-url.ts';
import { operatorPassword } from './operator-role.ts';

/**
 * Gives the API its role and its database, and the operator a role that reads what the API grants it; as the superuser, at
 * each start, so that a password changed in `.env` takes effect. What already exists stays.
 */
export const provision = async (cluster: Cluster, target: DatabaseTarget): Promise<void> => {
  await withClient(await cluster.connect(undefined, provisionDeadlineMs), async (client) => {
    await ensureRole(client, target.role, target.password);
    await ensureRole(client, operatorRole, operatorPassword(cluster.superuserPassword));
    await ensureDatabase(client, target);
  });
  await withClient(await cluster.connect(target.database, provisionDeadlineMs), (client) =>
    grant(client, target),
  );
};

const withClient = async (client: Client, work: (client: Client) => Promise<void>) => {
  try {
    await work(client);
  } finally {
    await client.end();
  }
};

const ensureRole = async (client: Client, role: string, password: Secret) => {
  const there = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = there.rowCount === 0 ? 'create' : 'alter';
  await client.query(
    `${verb} role ${escapeIdentifier(role)} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls ` +
      `password ${escapeLiteral(password.reveal())}`,
  );
};

const ensureDatabase = async (client: Client, { database, role }: DatabaseTarget) => {
  const there = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [database],
  );
  const [name, owner] = [escapeIdentifier(database), escapeIdentifier(role)];
  if (there.rowCount === 0) await client.query(`create database ${name} owner ${owner}`);
  else if (there.rows[0]?.owner !== role) await client.query(`alter database ${name} owner to ${owner}`);
};

const grant = async (client: Client, { database, role }: DatabaseTarget) => {
  const [name, owner] = [escapeIdentifier(database), escapeIdentifier(role)];
  await client.query(
    [
      `revoke connect, temporary on database ${name} from public`,
      `grant connect on database ${name} to ${operatorRole}`,
      // The API itself takes the backup before a migration.
      `grant execute on function pg_backup_start(text, boolean), pg_backup_stop(boolean) to ${owner}`,
    ].join(';'),
  );
};
