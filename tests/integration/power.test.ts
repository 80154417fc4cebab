// @module-tag identity

import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditHttp } from '#contracts/kernel/audit.ts';
import { eventsHttp } from '#contracts/kernel/events.ts';
import type { Endpoint } from '#contracts/kernel/http.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type PowerRequest, powerHttp, type ServerPower } from '#contracts/servers/power.ts';
import { builtProgram } from '#harness/built-program.ts';
import { eventually } from '#harness/eventually.ts';
import type { ApiProcess, Installation } from '#harness/installation.ts';
import { freePort } from '#harness/ports.ts';
import { readHolderRecord } from '../../agent/power/holder/holder-record.ts';
import { killFamily } from '../../agent/power/process/game-family.ts';
import { type AgentProcess, startAgentFrom, writeConfig } from '../../agent/testing/agent-process.ts';
import { installWithServers } from './testing/install-with-servers.ts';

const agentProgram = builtProgram('agent', resolve(import.meta.dirname, '../../agent/main.ts'));

/** The API, an agent, its holder and the game, each as a separate process. */

const patientMs = 60_000;
const serverId = 'fjord';
const password = 'the console of the game';
let installation: Installation;
let api: ApiProcess;
let agent: AgentProcess;
let config: string;
let recordFile: string;
let stateFolder: string;

beforeAll(async () => {
  installation = await installWithServers([serverId]);
  api = await installation.startApi();
  stateFolder = join(installation.home, 'agent');
  const folder = join(installation.home, 'the game’s folder');
  recordFile = join(installation.home, 'game.txt');
  await Promise.all([stateFolder, folder].map((path) => mkdir(path, { recursive: true })));
  const port = await freePort();
  const game = resolve(import.meta.dirname, 'testing/held-game-main.ts');
  config = await writeConfig(stateFolder, {
    apiUrl: installation.apiUrl,
    serverId,
    secret: installation.variables.GAME_AGENT_SECRET,
    game: 'minecraft',
    console: { host: '127.0.0.1', port, password },
    stateFolder,
    server: {
      folder,
      start: { by: 'holder', command: [process.execPath, game, String(port), password, recordFile, '2'] },
      allow: { power: true },
    },
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
const get = async <Answer>(endpoint: Endpoint, query = ''): Promise<Answer> =>
  (await (await api.fetch(pathOf(endpoint) + query)).json()) as Answer;
const power = () => get<ServerPower>(powerHttp.read);
const shown = async () =>
  (await get<{ status: { shown: string; players: number | null } }>(gameServersHttp.read)).status;
const act = async (body: PowerRequest): Promise<string> => {
  const answer = await api.fetch(pathOf(powerHttp.act), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { id, ...rest } = (await answer.json()) as { id?: string };
  expect(answer.status, JSON.stringify(rest)).toBe(200);
  return id ?? '';
};
const ended = (id: string) =>
  eventually(async () => {
    const { act: open, lastAct } = await power();
    expect(open).toBeNull();
    if (lastAct?.id !== id || lastAct.outcome === null) throw new Error(JSON.stringify({ open, lastAct }));
    return lastAct;
  }, patientMs);
const isShown = (state: string) =>
  eventually(async () => expect(await shown()).toMatchObject({ shown: state }), patientMs);
const recorded = async () => (await readFile(recordFile, 'utf8').catch(() => '')).trim().split('\n');
const since = async (mark: number) => (await recorded()).slice(mark);
const gamePid = async (): Promise<number> => {
  const started = (await recorded()).filter((line) => line.startsWith('# started '));
  return Number(started.at(-1)?.slice('# started '.length));
};
const told = async () => {
  const { rows } = await get<{ rows: { kind: string; payload: Record<string, unknown> }[] }>(
    eventsHttp.list,
    '?limit=100',
  );
  const kinds = /^server\.(?:started|stopped|crashed|crash-looping)$/;
  return rows.filter(({ kind }) => kinds.test(kind)).reverse();
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
  agent = startAgentFrom(agentProgram, '--config', config);
};

// Guarantee: a game is started, its stop is announced and it is saved before, it comes back after a crash, and each of these is
// reported once; the death of the API or the agent in the middle changes nothing.
test('the life of a game', { timeout: 300_000 }, async () => {
  await eventually(async () => expect(await power()).toMatchObject({ obstacle: null }), patientMs);
  await isShown('stopped');

  expect(await ended(await act({ action: 'start' }))).toMatchObject({ outcome: 'done' });
  await isShown('online');
  await eventually(async () => expect(await shown()).toMatchObject({ players: 2 }), patientMs);
  expect((await power()).defaultCountdownSeconds).toBe(60);

  // Announced, saved, then ended.
  const beforeStop = (await recorded()).length;
  expect(await ended(await act({ action: 'stop', countdownSeconds: 1 }))).toMatchObject({ outcome: 'done' });
  const said = (await since(beforeStop)).filter((line) => /^(?:say|save-all|stop|#)/.test(line));
  expect(said[0]).toMatch(/^say .*The server stops in 1 s\.$/);
  const place = (pattern: RegExp) => said.findIndex((line) => pattern.test(line));
  expect(place(/^save-all/)).toBeGreaterThan(place(/in 1 s/));
  expect(place(/^stop$/)).toBeGreaterThan(place(/^save-all/));
  expect(said.at(-1)).toBe('# ended');
  await isShown('stopped');

  // After a crash by kill -9, it comes back by itself.
  await ended(await act({ action: 'start' }));
  await isShown('online');
  const crashed = await gamePid();
  process.kill(crashed, 'SIGKILL');
  await eventually(async () => expect(await gamePid()).not.toBe(crashed), patientMs);
  await isShown('online');
  await eventually(
    async () => expect((await power()).lastCrash).toMatchObject({ signal: 'SIGKILL' }),
    patientMs,
  );

  // The API dies in the middle of a stop; the agent continues, and its result is known afterwards.
  const stopping = await act({ action: 'stop', countdownSeconds: 2 });
  await eventually(async () => expect((await power()).act?.progress).toBeTruthy(), patientMs);
  await restartApi();
  expect(await ended(stopping)).toMatchObject({ outcome: 'done', byName: expect.any(String) });
  await isShown('stopped');

  // The agent dies in the middle of a stop, and the next agent finishes it.
  await ended(await act({ action: 'start' }));
  await isShown('online');
  const other = await act({ action: 'stop', countdownSeconds: 3 });
  await eventually(async () => expect((await power()).act?.progress).toBeTruthy(), patientMs);
  const beforeKill = await gamePid();
  await restartAgent();
  expect(await ended(other)).toMatchObject({ outcome: 'done' });
  expect(await gamePid()).toBe(beforeKill);
  await isShown('stopped');

  await eventually(
    async () =>
      expect((await told()).map(({ kind }) => kind)).toEqual([
        'server.started',
        'server.stopped',
        'server.started',
        'server.crashed',
        'server.started',
        'server.stopped',
        'server.started',
        'server.stopped',
      ]),
    patientMs,
  );
  // Its last lines are only for people who may read the console.
  expect((await told())[3]?.payload).toEqual({
    name: serverId,
    signal: 'SIGKILL',
    exitCode: null,
    crashes: 1,
  });
  expect((await power()).lastCrash?.lines).toContainEqual(expect.stringContaining('Done!'));
  const { rows } = await get<{ rows: { action: string }[] }>(auditHttp.list, '?limit=100');
  const audited = rows
    .map(({ action }) => action)
    .filter((action) => /^servers\.(?:start|stop|power)/.test(action));
  expect(audited.filter((action) => action === 'servers.power-ended')).toHaveLength(6);
});
