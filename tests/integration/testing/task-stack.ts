import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { ApiProcess, Installation } from '#harness/installation.ts';
import { type AgentProcess, startAgentFrom, writeConfig } from '../../../agent/testing/agent-process.ts';
import { type SqlSession, sqlSession } from '../../../server/kernel/testing/sql.ts';
import { startMinecraft } from '../../simulators/minecraft-simulator.ts';
import { installWithServers } from './install-with-servers.ts';

/** The API, and an agent with a task that records its runs, each a separate process that can be killed. */

export const serverId = 'one';
let installation: Installation;
let sql: SqlSession;
export let api: ApiProcess;
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

const startAgent = () => startAgentFrom(join(import.meta.dirname, 'task-agent-main.ts'), config);
export const restartAgent = async () => {
  agent.kill('SIGKILL');
  await agent.exited;
  agent = startAgent();
};
export const restartApi = async () => {
  const exited = new Promise((resolve) => api.process.once('exit', resolve));
  api.process.kill('SIGKILL');
  await exited;
  api = await installation.startApi();
};
let made = 0;
/** As another process of the API commits it. */
export const startTask = async (): Promise<string> => {
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
export const stateOf = async (id: string): Promise<string> =>
  (await sql.query<{ state: string }>('select state from agent_tasks where id = $1', [id]))[0]?.state ?? '';
export const resultOf = async (id: string) =>
  (await sql.query<{ result: unknown }>('select result from agent_tasks where id = $1', [id]))[0]?.result;
export const runsOf = async (id: string): Promise<string[]> =>
  (await readFile(join(stateFolder, 'runs'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line.endsWith(` ${id}`))
    .map((line) => line.split(' ')[0] ?? '');
