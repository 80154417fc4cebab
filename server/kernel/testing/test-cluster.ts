import { join } from 'node:path';
import { dropTemplate, initializeCluster } from '#harness/initialized-cluster.ts';
import { type Cluster, openCluster } from '#runtime/postgres/cluster.ts';
import type { Postmaster } from '#runtime/postgres/postmaster.ts';
import { Secret } from '#runtime/secret.ts';

const role = 'castellan';
const password = new Secret('the-password-of-the-role');

/** Of a cluster that is still to be opened: the API's own role in its database. */
export const testClusterUrl = (port: number): Secret =>
  new Secret(`postgresql://${role}:${password.reveal()}@127.0.0.1:${port}/${role}`);

export interface TestCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  /** The API's own role: owner of its database, and no superuser. */
  readonly databaseUrl: Secret;
  /** Starts the postmaster and, the first time, creates the role and the database, as the supervisor does. */
  start(): Promise<Postmaster>;
}

/** A test's own Postgres in `<home>/postgres`, which it can stop and kill. */
export const openTestCluster = async (
  home: string,
  port: number,
  settings: Parameters<typeof openCluster>[0]['settings'] = { fsync: 'off' },
): Promise<TestCluster> => {
  await initializeCluster(join(home, 'postgres'));
  const cluster = await openCluster({ folder: join(home, 'postgres'), port, settings });
  return {
    cluster,
    databaseUrl: testClusterUrl(port),
    async start() {
      const postmaster = await cluster.start();
      const client = await cluster.connect();
      const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
      if (rowCount === 0) {
        await client.query(`create role ${role} login password '${password.reveal()}'`);
        await client.query(`create database ${role} owner ${role}`);
        await dropTemplate(client, 'template1');
      }
      await client.end();
      const inside = await cluster.connect(role);
      await inside.query(`grant execute on function pg_backup_start, pg_backup_stop to ${role}`);
      await inside.end();
      return postmaster;
    },
    [Symbol.asyncDispose]: () => cluster.stop(),
  };
};
