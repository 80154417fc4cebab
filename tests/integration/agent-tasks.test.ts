// @module-tag identity

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentMachine, agentTaskRow, agentTasksHttp } from '#contracts/agent-tasks-http.ts';
import { eventually } from '#harness/eventually.ts';
import type { ApiProcess, Installation } from '#harness/installation.ts';
import { type AgentProcess, startAgentFrom, writeConfig } from '../../agent/testing/agent-process.ts';
import { type SqlSession, sqlSession } from '../../server/testing/sql.ts';
import { randomOf } from '../bench/harness/seeded-random.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';
import { installWithServers } from './testing/install-with-servers.ts';

const serverId = 'one';
let installation: Installation;
let sql: SqlSession;
let api: ApiProcess;
let game: Awaited<ReturnType<typeof startMinecraft>>;
let agent: AgentProcess;
let stateFolder: string;
let config: string;

beforeAll(async () => {
  installation = await installWithServers([serverId]);
  sql = await sqlSession(installation.databaseUrl);
  api = await installation.startApi();
  game = await startMinecraft();
  stateFolder = join(installation.home, 'agents', serverId);
  await mkdir(stateFolder, { recursive: true });
  config = await writeConfig(stateFolder, {
    apiUrl: installation.apiUrl,
    serverId,
    secret: installation.variables.GAME_AGENT_SECRET ?? '',
    game: 'minecraft',
    console: { port: game.port, password: game.password },
  });
  agent = startAgent();
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await game[Symbol.asyncDispose]();
  await sql[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

const startAgent = () => startAgentFrom(join(import.meta.dirname, 'testing/task-agent-main.ts'), config);
const restartAgent = async () => {
  agent.kill('SIGKILL');
  await agent.exited;
  agent = startAgent();
};
const restartApi = async () => {
  const exited = new Promise((resolve) => api.process.once('exit', resolve));
  api.process.kill('SIGKILL');
  await exited;
  api = await installation.startApi();
};
let made = 0;
/** As another process of the API commits it. */
const startTask = async (): Promise<string> => {
  made += 1;
  const id = `task-${made}`;
  await sql.query(
    `insert into agent_tasks (id, server_id, kind, request, created_by, created_by_name, expires_at)
     values ($1, $2, 'list-saves', '{"kind":"list-saves"}', 'local:test', 'test', now() + interval '10 minutes')`,
    [id, serverId],
  );
  await sql.query(`select pg_notify('castellan_agent_tasks', $1)`, [id]);
  return id;
};
const stateOf = async (id: string): Promise<string> =>
  (await sql.query<{ state: string }>('select state from agent_tasks where id = $1', [id]))[0]?.state ?? '';
const resultOf = async (id: string) =>
  (await sql.query<{ result: unknown }>('select result from agent_tasks where id = $1', [id]))[0]?.result;
const runsOf = async (id: string): Promise<string[]> =>
  (await readFile(join(stateFolder, 'runs'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line.endsWith(` ${id}`))
    .map((line) => line.split(' ')[0] ?? '');
const path = (template: string) => template.replace(':serverId', serverId);

// Guarantee: a task that another process commits reaches the agent, and the panel reads the task, the machine and the process.
test('a task, seen by the panel', { timeout: 60_000 }, async () => {
  const id = await startTask();
  await eventually(async () => expect(await stateOf(id)).toBe('done'), 30_000);
  expect(await runsOf(id)).toEqual(['run']);
  const list = await (await api.fetch(path(agentTasksHttp.list.path))).json();
  // The API asks for the saves of a server by itself, too.
  const row = agentTasksHttp.list.response.parse(list).rows.find((each) => each.id === id);
  expect(row).toMatchObject({ state: 'done' });
  const machine = agentMachine.parse(await (await api.fetch(path(agentTasksHttp.machine.path))).json());
  expect(machine).toMatchObject({
    takesTasks: true,
    machine: {
      facts: { startMethod: 'none', tasks: expect.arrayContaining(['power', 'list-saves']) },
    },
    process: { isCurrent: true, report: { state: 'unmanaged' } },
  });
  const cancelled = await api.fetch(path(agentTasksHttp.cancel.path).replace(':id', id), { method: 'POST' });
  expect(agentTaskRow.parse(await cancelled.json())).toMatchObject({ state: 'done', cancelled: false });
});

const stages = ['waiting', 'sent', 'accepted', 'running', 'done'] as const;
const victims = { agent: () => restartAgent(), api: () => restartApi() };

// Guarantee: no matter which of the two is killed at which stage of a task, it runs once, is at most resumed, and its result arrives.
test.each(stages.flatMap((stage) => Object.keys(victims).map((victim) => ({ stage, victim }))))(
  'the $victim is killed once a task is $stage',
  { timeout: 120_000 },
  async ({ stage, victim }) => {
    const id = await startTask();
    const least = stages.indexOf(stage);
    await eventually(async () => {
      const reached = stages.indexOf((await stateOf(id)) as (typeof stages)[number]);
      expect(reached).toBeGreaterThanOrEqual(least);
    }, 30_000);
    await victims[victim as keyof typeof victims]();
    await eventually(async () => expect(await stateOf(id)).toBe('done'), 60_000);
    const runs = await runsOf(id);
    expect(runs.filter((word) => word === 'run')).toEqual(['run']);
    expect(await resultOf(id)).toMatchObject({ outcome: 'done', value: { by: runs.at(-1) } });
  },
);

// Guarantee: under random kills of both, no task runs twice and no result is lost.
test('random kills', { timeout: 300_000 }, async () => {
  const random = randomOf(11);
  const ids: string[] = [];
  for (let kill = 0; kill < 12; kill += 1) {
    for (let task = 0; task < 4; task += 1) ids.push(await startTask());
    await delay(random() * 400);
    await (kill % 3 === 2 ? restartApi() : restartAgent());
  }
  for (const id of ids) {
    await eventually(async () => expect(await stateOf(id)).toBe('done'), 120_000);
    expect((await runsOf(id)).filter((word) => word === 'run')).toEqual(['run']);
    expect(await resultOf(id)).toMatchObject({ outcome: 'done' });
  }
});
