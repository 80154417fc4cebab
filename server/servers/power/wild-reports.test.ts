import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { powerHttp, serverPower } from '#contracts/servers/power.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import {
  testDesktopCredential as desktop,
  startTestApi,
  type TestApi,
} from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { joinPowerAgent, type PowerAgent, stoppedReport } from './testing/power-agent.ts';

let database: TestDatabase;
let api: TestApi;
let serverId: string;
let agent: PowerAgent;

const start = async () => {
  api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
};
beforeEach(async () => {
  database = await apiDatabase();
  await start();
  serverId = await newServer(api.port);
  await eventually(() => expect(api.context.servers.directory.get(serverId)).not.toBeNull());
  agent = await joinPowerAgent(api.port, serverId);
  await eventually(async () => expect((await power()).process).not.toBeNull());
});
afterEach(async () => {
  agent[Symbol.dispose]();
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const power = async () =>
  serverPower.parse((await call(api.port, powerHttp.read, { as: desktop, params: { serverId } })).json);
/** Includes a crash older than the event log shows. */
const eventKinds = async (): Promise<string[]> => {
  const rows = await api.context.database.db
    .selectFrom('event_logs')
    .select('kind')
    .where('server_id', '=', serverId)
    .where('kind', 'in', ['server.crashed', 'server.started', 'server.stopped'])
    .orderBy('id')
    .execute();
  return rows.map(({ kind }) => kind);
};
const wild = {
  ...stoppedReport,
  state: 'backing-off',
  wanted: 'running',
  upMs: 1e300,
  crashes: 1,
  nextStartInMs: 1e300,
  lastCrash: { ageMs: 1e300, exitCode: 1, signal: null, lines: [] },
} satisfies Partial<ProcessReport>;
const isShown = (shown: string) =>
  eventually(async () => {
    const { json } = await call(api.port, gameServersHttp.read, { as: desktop, params: { id: serverId } });
    expect(json.status).toMatchObject({ shown });
  });
const inDatabase = async (work: (db: Kysely<Tables>) => Promise<unknown>) => {
  await using open = openDatabase<Tables>({ url: database.url, applicationName: 'test', log: silentLog });
  await work(open.db);
};

// Guarantee: times that no clock can show break neither the API nor the server's page nor its events.
test('times without a bound', async () => {
  agent.tell(wild);
  await eventually(async () => expect(await eventKinds()).toEqual(['server.crashed']));
  await isShown('backing-off');
  const { process, lastCrash } = await power();
  expect(Date.parse(lastCrash?.at ?? '')).toBeGreaterThan(Date.now() - 367 * 86_400_000);
  expect(process?.report.upMs).toBeLessThan(367 * 86_400_000);
  agent.tell({ state: 'running', wanted: 'running', pid: 5 });
  await eventually(async () => expect(await eventKinds()).toEqual(['server.crashed', 'server.started']));
});

// Guarantee: an API that finds such times in the database still shows the server.
test('times without a bound, written down', async () => {
  agent.tell(wild);
  await eventually(async () => expect((await power()).lastCrash).not.toBeNull());
  agent[Symbol.dispose]();
  await api[Symbol.asyncDispose]();
  await inDatabase(async (db) => {
    await db
      .updateTable('agent_reports')
      .set({ process: JSON.stringify(wild) })
      .execute();
    await db
      .updateTable('server_processes')
      .set({ crash_at: new Date(-9e13) })
      .execute();
  });
  await start();
  await isShown('lost');
  const { process, lastCrash } = await power();
  expect(process?.report.upMs).toBeLessThan(367 * 86_400_000);
  expect(Date.parse(lastCrash?.at ?? '')).toBeGreaterThan(Date.now() - 367 * 86_400_000);
});

// Guarantee: a report that the database rejects holds up none that follow.
test('a report that is refused', async () => {
  await inDatabase((db) =>
    sql`alter table server_processes add constraint no_crash_loop check (report ->> 'state' <> 'crash-looping')`.execute(
      db,
    ),
  );
  agent.tell({ state: 'crash-looping', wanted: 'running' });
  agent.tell({ state: 'running', wanted: 'running', pid: 5 });
  await eventually(async () => expect(await eventKinds()).toContain('server.started'));
});

// Guarantee: an API that was killed before it stored an agent's latest report never shows the process as changed back.
test('a report that is older than what is known', async () => {
  agent.tell({ state: 'backing-off', wanted: 'running', crashes: 1, nextStartInMs: 1000 });
  await isShown('backing-off');
  await eventually(async () => expect((await power()).process?.report.state).toBe('backing-off'));
  const older = await api.context.database.db
    .selectFrom('server_processes')
    .select('report')
    .executeTakeFirstOrThrow();
  agent.tell({ state: 'running', wanted: 'running', pid: 5 });
  await eventually(async () => expect(await eventKinds()).toEqual(['server.started']));
  const { identity } = agent;
  agent[Symbol.dispose]();
  await api[Symbol.asyncDispose]();
  await inDatabase((db) =>
    db
      .updateTable('agent_reports')
      .set({
        process: JSON.stringify(older.report),
        process_at: sql<Date>`process_at - interval '1 second'`,
      })
      .execute(),
  );
  await start();
  await isShown('lost');
  agent = await joinPowerAgent(api.port, serverId, {
    identity,
    process: { state: 'stopped', wanted: 'stopped' },
  });
  await eventually(async () => expect(await eventKinds()).toEqual(['server.started', 'server.stopped']));
});
