import { expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as, startTestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { openModdedServer } from '../testing/modded-server.ts';
import { joinModsAgent } from '../testing/mods-agent.ts';
import { emptyList, uploadedMod } from '../testing/sample-mods.ts';

const running = apiForThisFile();

const list: ModsList = { ...emptyList, installed: [uploadedMod('one'), uploadedMod('two')] };
const removing = (name: string) => ({ do: 'remove', key: `upload:${name}` }) as const;

// Guarantee: when everything of pg-boss is dropped, schema included, no change of mods is lost or sent twice; the next start
// recreates the schema with the operator's view, and the queues page shows the jobs.
test('the schema of pg-boss is dropped', async () => {
  const { port, api, databaseUrl } = running();
  const server = await openModdedServer(port, { list });
  const first = await server.begin(await server.plan(removing('one')));
  const second = await server.begin(await server.plan(removing('two')));
  const task = await server.agent.nextChange();
  await api.context.database.pool.query('drop schema queue cascade');
  server[Symbol.dispose]();
  await using other = await startTestApi({ databaseUrl, workers: [] });
  await whenInUse(other);
  const params = { serverId: server.id };
  const jobsOf = async () =>
    (await call(other.port, modsHttp.jobs, { as, params })).json.rows as {
      id: string;
      state: string;
    }[];
  expect((await jobsOf()).map(({ id, state }) => [id, state])).toEqual([
    [second.id, 'waiting'],
    [first.id, 'running'],
  ]);
  const shown = await call(other.port, queuesHttp.list, { as });
  expect(shown.status, shown.text).toBe(200);
  const view = await other.context.database.pool.query(
    `select id, state from pgboss.job where name = 'mods' and state in ('created', 'active') order by state`,
  );
  expect(view.rows).toEqual([
    { id: first.id, state: 'active' },
    { id: second.id, state: 'created' },
  ]);
  using again = await joinModsAgent(other.port, server.id, { identity: server.agent.power.identity, list });
  const sentAgain = await again.nextChange();
  expect(sentAgain).toEqual(task);
  again.finish(sentAgain);
  again.finish(await again.nextChange());
  await eventually(async () =>
    // The second one was planned for a set that no longer exists.
    expect((await jobsOf()).map(({ state }) => state)).toEqual(['failed', 'done']),
  );
  expect(again.changes.map(({ id }) => id)).toEqual([first.id, second.id]);
});
