import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { eventsHttp } from '#contracts/kernel/events.ts';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { powerHttp, type ServerPower } from '#contracts/servers/power.ts';
import { type SaveRequest, type ServerSaves, savesHttp } from '#contracts/servers/saves.ts';
import { builtProgram } from '#harness/built-program.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { freePort } from '#harness/ports.ts';
import { readHolderRecord } from '../../../agent/power/holder/holder-record.ts';
import { killFamily } from '../../../agent/power/process/game-family.ts';
import { readRestore } from '../../../agent/saves/restore-journal.ts';
import { type AgentProcess, startAgentFrom, writeConfig } from '../../../agent/testing/agent-process.ts';
import { sqlSession } from '../../../server/kernel/testing/sql.ts';

const agentProgram = builtProgram('agent', resolve(import.meta.dirname, '../../../agent/main.ts'));

/** The API, an agent, its holder and the game, each as a separate process. */

export const patientMs = 90_000;
const serverId = 'fjord';
export const serverName = 'Fjörd';
const password = 'the console of the game';
const chunks = 60;
let installation: Installation;
let api: ApiProcess;
let agent: AgentProcess;
let config: string;
export let recordFile: string;
export let stateFolder: string;
export let worldFolder: string;

beforeAll(async () => {
  installation = await install();
  await using sql = await sqlSession(installation.databaseUrl);
  await sql.query(`insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`);
  await sql.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port) values ($1, 'c', $2, 'fjord', 'minecraft', 25575)`,
    [serverId, serverName],
  );
  api = await installation.startApi();
  stateFolder = join(installation.home, 'agent');
  const folder = join(installation.home, 'the game’s folder 玩家');
  worldFolder = join(folder, 'world');
  recordFile = join(installation.home, 'game.txt');
  await Promise.all([stateFolder, worldFolder].map((path) => mkdir(path, { recursive: true })));
  const port = await freePort();
  const game = resolve(import.meta.dirname, 'held-game-main.ts');
  const level = join(worldFolder, 'level.json');
  const command = [process.execPath, game, String(port), password, recordFile, '0', level];
  config = await writeConfig(stateFolder, {
    apiUrl: installation.apiUrl,
    serverId,
    secret: installation.variables.GAME_AGENT_SECRET,
    game: 'minecraft',
    console: { host: '127.0.0.1', port, password },
    stateFolder,
    server: { folder, start: { by: 'holder', command }, allow: { power: true, files: true, backups: true } },
  });
  agent = startAgentFrom(agentProgram, '--config', config);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  const held = await readHolderRecord(join(stateFolder, 'power')).catch(() => null);
  if (held) await killFamily(held);
  await installation[Symbol.asyncDispose]();
});

const pathOf = ({ path }: Endpoint) => path.replace(/:(?:serverId|id)\b/, serverId);
export const get = async <Answer>(endpoint: Endpoint, query = ''): Promise<Answer> =>
  (await (await api.fetch(pathOf(endpoint) + query)).json()) as Answer;
export const saves = () => get<ServerSaves>(savesHttp.read);
const power = () => get<ServerPower>(powerHttp.read);
export const post = async (endpoint: Endpoint, body: unknown, key = randomUUID()) => {
  const answer = await api.fetch(pathOf(endpoint), {
    method: endpoint.method,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as { id?: string; code?: string };
  return { status: answer.status, ...json };
};
/** Retries until the agent is connected and has no objection. */
export const begun = (body: SaveRequest, key = randomUUID()) =>
  eventually(async () => {
    const { status, id = '', code } = await post(savesHttp.act, body, key);
    expect([status, code]).toEqual([200, undefined]);
    return id;
  }, patientMs);
export const ended = (id: string) =>
  eventually(async () => {
    const { act, lastAct, list } = await saves();
    if (act !== null || lastAct?.id !== id) throw new Error(JSON.stringify({ act, lastAct }));
    return { ...lastAct, list };
  }, patientMs);
export const run = async (body: SaveRequest) => ended(await begun(body));
export const turn = async (action: 'start' | 'stop', shown: string) => {
  await eventually(async () => {
    const { status } = await post(powerHttp.act, {
      action,
      ...(action === 'stop' && { countdownSeconds: 0 }),
    });
    expect(status).toBe(200);
  }, patientMs);
  await eventually(async () => {
    const { act, process } = await power();
    expect([act, process?.report.state]).toEqual([null, shown]);
  }, patientMs);
};
/** @param chunkBytes with many, a restore takes a while */
export const writeWorld = async (word: string, chunkBytes = 30_000) => {
  const chunkText = randomBytes(chunkBytes).toString('base64');
  await mkdir(join(worldFolder, 'region'), { recursive: true });
  for (let chunk = 0; chunk < chunks; chunk += 1)
    await writeFile(join(worldFolder, 'region', `r.${chunk}.mca`), `${word} ${chunk} ${chunkText}`);
};
/** The world's content; null: no world, or not the same content everywhere. */
export const readWorld = async (): Promise<string | null> => {
  const region = join(worldFolder, 'region');
  const names = await readdir(region).catch(() => []);
  const words = new Set<string>();
  for (const name of names) words.add((await readFile(join(region, name), 'utf8')).split(' ')[0] ?? '');
  return names.length === chunks && words.size === 1 ? ([...words][0] ?? null) : null;
};
export const told = async (kinds: RegExp) => {
  const { rows } = await get<{ rows: { kind: string }[] }>(eventsHttp.list, '?limit=200');
  return rows
    .map(({ kind }) => kind)
    .filter((kind) => kinds.test(kind))
    .reverse();
};
/** Waits until a restore has reached one of these stages, or its act has been in progress for a while. */
export const met = async (stages: readonly string[]) => {
  for (let looks = 0; looks < 300; looks += 1) {
    const journal = await readRestore(stateFolder).catch(() => null);
    if (journal && stages.includes(journal.stage)) return;
    await delay(2);
  }
};
export const restartApi = async () => {
  const gone = new Promise((done) => api.process.once('exit', done));
  api.process.kill('SIGKILL');
  await gone;
  api = await installation.startApi();
};
export const restartAgent = async () => {
  agent.kill('SIGKILL');
  await agent.exited;
  agent = startAgentFrom(agentProgram, '--config', config);
};
