import { expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as, startTestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { openModdedServer } from '../testing/modded-server.ts';
import { joinModsAgent } from '../testing/mods-agent.ts';
import { emptyList } from '../testing/sample-mods.ts';

const running = apiForThisFile();

const list = {
  ...emptyList,
  installed: [
    {
      ...({ key: 'upload:one', source: 'upload', project: null, version: null, name: 'one' } as const),
      ...({ versionName: null, form: 'file', folder: 'mods', file: null, byName: 'Ada' } as const),
      since: '2026-01-01T00:00:00Z',
      files: [],
      fileCount: 1,
      changedFiles: [],
      metadata: null,
    },
  ],
};
const mostAtOnce = 4;

// Guarantee: two processes of the API that take the same request and advance the same jobs at the same moment make one job
// of each request and one task of each job, though the agent is connected to both.
test('the same moment in two processes', async () => {
  const { port, databaseUrl, home, api } = running();
  await using other = await startTestApi({ databaseUrl, home, workers: [] });
  await whenInUse(other);
  const pause = (paused: boolean) =>
    Promise.all(
      [port, other.port].map((one) =>
        call(one, queuesHttp.pause, { as, params: { name: 'mods' }, body: { paused } }),
      ),
    );
  using owned = new DisposableStack();
  await pause(true);
  const servers = [];
  for (let turn = 0; turn < mostAtOnce; turn += 1) {
    const server = owned.use(await openModdedServer(port, { list }));
    const twin = owned.use(
      await joinModsAgent(other.port, server.id, { identity: server.agent.power.identity, list }),
    );
    servers.push({ server, twin, plan: await server.plan({ do: 'remove', key: 'upload:one' }) });
  }
  const jobs = await Promise.all(
    servers.map(async ({ server, plan }) => {
      const begun = await Promise.all(
        [port, other.port, port, other.port].map((one) =>
          call(one, modsHttp.begin, {
            as,
            params: { serverId: server.id },
            body: { plan: plan.id },
            headers: { 'Idempotency-Key': `key of ${server.id}` },
          }),
        ),
      );
      const ids = new Set(begun.map(({ json, text }) => String(json.id ?? text)));
      expect(ids.size, [...ids].join()).toBe(1);
      return { id: [...ids].join() };
    }),
  );
  await pause(false);
  await Promise.all(
    servers.map(async ({ server, twin }, index) => {
      const { agent } = server;
      const task = await Promise.race([agent.nextChange(), twin.nextChange()]);
      expect(task.id).toBe(jobs[index]?.id);
      agent.finish(task);
      await server.ended('done', jobs[index]);
    }),
  );
  const { rows } = await api.context.database.pool.query(
    `select job.id, job.tries, (select count(*)::int from agent_tasks task
        where task.server_id = job.server_id and task.kind = 'change-mods') as tasks
       from mod_jobs job order by job.id`,
  );
  expect(rows).toEqual(
    jobs.map(({ id }) => ({ id, tries: 1, tasks: 1 })).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  for (const { server, twin } of servers)
    expect(new Set([...server.agent.changes, ...twin.changes].map(({ id }) => id)).size).toBe(1);
  const told = await api.context.database.pool.query(`select kind from event_logs where kind like 'mods.%'`);
  expect(told.rows).toHaveLength(mostAtOnce);
});
