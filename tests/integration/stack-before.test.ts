// @module-tag identity

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { healthHttp, stackHealth } from '#contracts/operations/health.ts';
import { stackControl } from '#contracts/operations/stack.ts';
import { fillDatabaseBefore, sessionToken } from '#harness/database-before.ts';
import { eventually } from '#harness/eventually.ts';
import { type Installation, install } from '#harness/installation.ts';
import { freePort } from '#harness/ports.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { Secret } from '#runtime/secret.ts';
import { type RunningProgram, startProgram } from '../../build/demo/program.ts';
import { callSupervisor } from '../../electron/control/control-client.ts';
import { readDatabaseUrl } from '../../electron/stack/database-url.ts';
import { provision } from '../../electron/stack/provision.ts';
import { migrations } from '../../server/kernel/database/migrations.ts';
import { sqlSession } from '../../server/kernel/testing/sql.ts';
import { agentIdentity } from '../../server/servers/agents/testing/scripted-agent.ts';

let installation: Installation;
let stack: RunningProgram;
let databaseUrl: Secret;

beforeAll(async () => {
  databaseUrl = new Secret(
    `postgresql://castellan:a-password-of-before@127.0.0.1:${await freePort()}/castellan?connection_limit=20`,
  );
  installation = await install({ DATABASE_URL: databaseUrl.reveal() });
  const { home, variables } = installation;
  await makeCluster(home, variables.CONFIG_ENCRYPTION_KEY ?? '');
  stack = startProgram('castellan', ['start'], { CASTELLAN_HOME: home }, join(home, 'castellan.out'));
});

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

/** The data folder's embedded cluster, with the schema and the rows of the previous version, stopped. */
const makeCluster = async (home: string, configKey: string): Promise<void> => {
  const target = readDatabaseUrl(databaseUrl);
  const cluster = await openCluster({ folder: join(home, 'postgres'), port: target.port });
  await cluster.start();
  try {
    await provision(cluster, target);
    const { agentKey } = agentIdentity('fjord');
    await fillDatabaseBefore({ databaseUrl, configKey, agentKey });
  } finally {
    await cluster.stop();
  }
};

// Guarantee: the current stack starts under its supervisor with the data folder of the previous version: Postgres with its cluster,
// which is migrated, then the API and the bot; and an old session is still valid.
test('the stack over an old cluster', async () => {
  const { home, apiUrl } = installation;
  await eventually(async () => {
    const status = await callSupervisor(home, stackControl.status);
    expect(status, stack.lastWords()).toMatchObject({ state: 'running' });
    const health = stackHealth.parse(await (await fetch(apiUrl + healthHttp.stack.path)).json());
    expect(health).toMatchObject({ status: 'ok', license: 'valid' });
  }, 60_000);

  await using sql = await sqlSession(databaseUrl);
  expect(await sql.query('select name from schema_migrations order by name')).toEqual(
    Object.keys(migrations).map((name) => ({ name })),
  );
  const me = await fetch(apiUrl + accountHttp.me.path, {
    headers: { Cookie: `castellan_session=${sessionToken}` },
  });
  expect(await me.json()).toMatchObject({ kind: 'admin', id: 'ana' });
});
