// @module-tag identity

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditHttp } from '#contracts/audit.ts';
import { eventsHttp } from '#contracts/events.ts';
import type { Endpoint } from '#contracts/http.ts';
import { powerHttp, type ServerPower } from '#contracts/power.ts';
import { type SaveRequest, type ServerSaves, savesHttp } from '#contracts/saves.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, install } from '#harness/installation.ts';
import { freePort } from '#harness/ports.ts';
import { readHolderRecord } from '../../agent/power/holder/holder-record.ts';
import { killFamily } from '../../agent/power/process/game-family.ts';
import { readRestore } from '../../agent/saves/restore-journal.ts';
import { type AgentProcess, startAgentFrom, writeConfig } from '../../agent/testing/agent-process.ts';
import { sqlSession } from '../../server/testing/sql.ts';

/** The API, an agent, its holder and the game, each as a separate process. */

const patientMs = 90_000;
const serverId = 'fjord';
const serverName = 'Fjörd';
const password = 'the console of the game';
const chunks = 60;
/** Large enough that a restore takes a while. */
const chunkText = randomBytes(300_000).toString('base64');
let installation: Installation;
let api: ApiProcess;
let agent: AgentProcess;
let config: string;
let recordFile: string;
let stateFolder: string;
let worldFolder: string;

beforeAll(async () => {
  installation = await install();
  await (await installation.startApi())[Symbol.asyncDispose]();
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
  const game = resolve(import.meta.dirname, 'testing/held-game-main.ts');
  const level = join(worldFolder, 'level.json');
  const command = [process.execPath, game, String(port), password, recordFile, '0', level];
  config = await writeConfig(stateFolder, {
    apiUrl: installation.apiUrl,
    serverId,
    secret: installation.variables.GAME_AGENT_SECRET,
    game: 'minecraft',
    console: { host: '127.0.0.1', port, password },
    stateFolder,
    server: { folder, start: { by: 'holder', command }, allow: { power: true, files: true } },
  });
  agent = startAgentFrom(undefined, '--config', config);
});
afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  const held = await readHolderRecord(join(stateFolder, 'power')).catch(() => null);
  if (held) await killFamily(held);
  await installation[Symbol.asyncDispose]();
});

const pathOf = ({ path }: Endpoint) => path.replace(/:(?:serverId|id)\b/, serverId);
const get = async <Answer>(endpoint: Endpoint, query = ''): Promise<Answer> =>
  (await (await api.fetch(pathOf(endpoint) + query)).json()) as Answer;
const saves = () => get<ServerSaves>(savesHttp.read);
const power = () => get<ServerPower>(powerHttp.read);
const post = async (endpoint: Endpoint, body: unknown, key = randomUUID()) => {
  const answer = await api.fetch(pathOf(endpoint), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  const json = (await answer.json()) as { id?: string; code?: string };
  return { status: answer.status, ...json };
};
/** Retries until the agent is connected and has no objection. */
const begun = (body: SaveRequest, key = randomUUID()) =>
  eventually(async () => {
    const { status, id = '', code } = await post(savesHttp.act, body, key);
    expect([status, code]).toEqual([200, undefined]);
    return id;
  }, patientMs);
const ended = (id: string) =>
  eventually(async () => {
    const { act, lastAct, list } = await saves();
    if (act !== null || lastAct?.id !== id) throw new Error(JSON.stringify({ act, lastAct }));
    return { ...lastAct, list };
  }, patientMs);
const run = async (body: SaveRequest) => ended(await begun(body));
const turn = async (action: 'start' | 'stop', shown: string) => {
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
const writeWorld = async (word: string) => {
  await mkdir(join(worldFolder, 'region'), { recursive: true });
  for (let chunk = 0; chunk < chunks; chunk += 1)
    await writeFile(join(worldFolder, 'region', `r.${chunk}.mca`), `${word} ${chunk} ${chunkText}`);
};
/** The world's content; null: no world, or not the same content everywhere. */
const readWorld = async (): Promise<string | null> => {
  const region = join(worldFolder, 'region');
  const names = await readdir(region).catch(() => []);
  const words = new Set<string>();
  for (const name of names) words.add((await readFile(join(region, name), 'utf8')).split(' ')[0] ?? '');
  return names.length === chunks && words.size === 1 ? ([...words][0] ?? null) : null;
};
const told = async (kinds: RegExp) => {
  const { rows } = await get<{ rows: { kind: string }[] }>(eventsHttp.list, '?limit=200');
  return rows
    .map(({ kind }) => kind)
    .filter((kind) => kinds.test(kind))
    .reverse();
};
/** Waits until a restore has reached one of these stages, or its act has been in progress for a while. */
const met = async (stages: readonly string[]) => {
  for (let looks = 0; looks < 300; looks += 1) {
    const journal = await readRestore(stateFolder).catch(() => null);
    if (journal && stages.includes(journal.stage)) return;
    await delay(2);
  }
};
const restartApi = async () => {
  const gone = new Promise((done) => api.process.once('exit', done));
  api.process.kill('SIGKILL');
  await gone;
  api = await installation.startApi();
};
const restartAgent = async () => {
  agent.kill('SIGKILL');
  await agent.exited;
  agent = startAgentFrom(undefined, '--config', config);
};

// Guarantee: a backup of a running game is complete and consistent, restores the world once the game is stopped, and the replaced
// world can be restored, too, until a person decides.
test('the life of a world', { timeout: 300_000 }, async () => {
  await writeWorld('first');
  await eventually(async () => expect(await saves()).toMatchObject({ obstacle: null }), patientMs);
  await turn('start', 'running');
  await eventually(
    async () => expect(await saves()).toMatchObject({ restoreObstacle: 'SAVES_GAME_RUNNING' }),
    patientMs,
  );
  // The console answers a little later than the process starts.
  await eventually(async () => expect(await told(/^server\.online$/)).toHaveLength(1), patientMs);
  const taken = await run({ action: 'backup' });
  expect(taken).toMatchObject({ outcome: 'done', detail: null });
  const backup = taken.backup ?? '';
  await eventually(
    async () => expect((await saves()).list?.backups).toMatchObject([{ name: backup, notes: [] }]),
    patientMs,
  );
  const said = (await readFile(recordFile, 'utf8')).split('\n').filter((line) => line.startsWith('save'));
  expect(said).toEqual(['save-off', 'save-all flush', 'save-on']);
  const named = { backup, serverName };
  expect(await post(savesHttp.act, { action: 'restore', ...named })).toMatchObject({
    code: 'SAVES_GAME_RUNNING',
  });
  await turn('stop', 'stopped');

  await writeWorld('second');
  expect(await post(savesHttp.act, { action: 'restore', backup, serverName: 'Another' })).toMatchObject({
    code: 'SAVES_NAME_MISMATCH',
  });
  expect(await run({ action: 'restore', ...named })).toMatchObject({ outcome: 'done' });
  expect(await readWorld()).toBe('first');
  await eventually(
    async () => expect(await saves()).toMatchObject({ list: { unconfirmed: backup } }),
    patientMs,
  );
  await turn('start', 'running');
  await turn('stop', 'stopped');
  expect(await run({ action: 'undo', ...named })).toMatchObject({ outcome: 'done' });
  expect(await readWorld()).toBe('second');
  expect(await run({ action: 'restore', ...named })).toMatchObject({ outcome: 'done' });
  expect(await run({ action: 'confirm', backup })).toMatchObject({ outcome: 'done' });
  expect(await readWorld()).toBe('first');
  expect((await readdir(join(worldFolder, '..'))).sort()).toEqual(['world']);
  await eventually(
    async () =>
      expect(await told(/^saves\./)).toEqual([
        'saves.backed-up',
        'saves.restored',
        'saves.restore-undone',
        'saves.restored',
      ]),
    patientMs,
  );
});

// Guarantee: no matter when API or agent dies, the world is all old or all new, the act's result matches the disk, and neither it
// nor its consequences happen twice.
test('killed in the midst', { timeout: 900_000, tags: ['slow'] }, async () => {
  const kills = 10;
  await writeWorld('backed');
  const backup = (await run({ action: 'backup' })).backup ?? '';
  const named = { backup, serverName };
  await writeWorld('before');
  const measuredMs = performance.now();
  await run({ action: 'restore', ...named });
  const wholeMs = performance.now() - measuredMs;
  await run({ action: 'undo', ...named });
  expect(await readWorld()).toBe('before');
  const restoredBefore = (await told(/^saves\.restored$/)).length;
  const undoneBefore = (await told(/^saves\.restore-undone$/)).length;
  let world = 'before';
  const done = { restore: 0, undo: 0 };
  const outcomes: string[] = [];
  const ids = new Set<string>();
  for (let kill = 0; kill < 2 * kills; kill += 1) {
    const action = world === 'before' ? 'restore' : 'undo';
    const body: SaveRequest = { action, ...named };
    const key = randomUUID();
    const id = await begun(body, key);
    // Two of three kills while the worlds are being replaced, if that moment can be caught; the others at any time.
    if (kill % 3 === 0) await delay(Math.random() * wholeMs);
    else await met(kill % 3 === 1 ? ['unpacking', 'undoing'] : ['swapping', 'swapped', 'undoing']);
    // Both are killed during restores and undos.
    await (kill % 4 < 2 ? restartApi() : restartAgent());
    // The same request again, as a caller sends it after a lost answer.
    expect(await begun(body, key)).toBe(id);
    ids.add(id);
    const { outcome } = await ended(id);
    outcomes.push(`${action} ${outcome}`);
    if (outcome === 'done') {
      world = action === 'restore' ? 'backed' : 'before';
      done[action] += 1;
    }
    expect(await readWorld(), outcomes.join(', ')).toBe(world);
  }
  expect(ids.size).toBe(2 * kills);
  await eventually(
    async () => expect(await told(/^saves\.restored$/)).toHaveLength(restoredBefore + done.restore),
    patientMs,
  );
  expect(await told(/^saves\.restore-undone$/)).toHaveLength(undoneBefore + done.undo);
  const { rows } = await get<{ rows: { action: string; after: { act?: string } }[] }>(
    auditHttp.list,
    '?limit=200',
  );
  const audited = rows.filter(({ action }) => action === 'saves.ended').map(({ after }) => after.act ?? '');
  expect(audited.filter((act) => ids.has(act))).toHaveLength(ids.size);
});
