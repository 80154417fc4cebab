import { expect, test } from 'vitest';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import { secretsHttp } from '#contracts/operations/secrets.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { testDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { ask } from '../testing/ask.ts';
import { call, person } from '../testing/call.ts';
import { sqlSession } from '../testing/sql.ts';
import { startTestApi } from '../testing/test-api.ts';
import { whenInUse } from '../testing/when-in-use.ts';

// Guarantee: with connection_limit=1 everything runs over one connection, and nothing waits for a second one.
test('a single connection', async () => {
  await using database = await testDatabase();
  await using sql = await sqlSession(database.url);
  const url = new URL(database.url.reveal());
  url.searchParams.set('connection_limit', '1');
  const connections = async () => {
    const [counted] = await sql.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name like 'castellan-api%'`,
    );
    return counted?.open;
  };
  const maintained: string[] = [];
  await using api = await startTestApi({
    databaseUrl: new Secret(url.toString()),
    workers: [
      { queue: 'maintenance', batchSize: 1, handle: async ([job]) => void maintained.push(job?.id ?? '') },
    ],
  });
  await whenInUse(api);
  const owner = await person(api.port, { role: 'owner' });
  const as = owner.token;
  const cluster = await call(api.port, clustersHttp.create, { as, body: { name: 'One', description: '' } });
  const reach = { host: '127.0.0.1', port: 25_575, password: 'a-secret-of-rcon' };
  const server = await call(api.port, gameServersHttp.create, {
    as,
    body: { clusterId: String(cluster.json.id), name: 'One', game: 'minecraft', ...reach },
  });
  expect([cluster.status, server.status]).toEqual([200, 200]);
  const began = performance.now();
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, () => ask(api.port, healthHttp.queues.path)),
    call(api.port, eventsHttp.list, { as }),
    call(api.port, secretsHttp.status, { as }),
    call(api.port, secretsHttp.reencrypt, { as }),
    call(api.port, gameServersHttp.list, { as }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  // A request that needed two would have waited until the pool gave up.
  expect(performance.now() - began).toBeLessThan(5000);
  await eventually(() => expect(maintained).toHaveLength(1));
  await eventually(async () => expect(await connections()).toBe(1));
  expect((await ask(api.port, '/api/health')).json).toMatchObject({
    components: { database: { status: 'ok' } },
  });
});
