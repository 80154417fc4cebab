// @module-tag identity

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gameAgentStatus, healthHttp } from '#contracts/operations/health.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { eventually } from '#harness/eventually.ts';
import type { ApiProcess, Installation } from '#harness/installation.ts';
import { createLog } from '#runtime/log.ts';
import { nothingSet } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import { startAgent } from '../../../agent/agent.ts';
import { modsConfig } from '../../../agent/configuration/mods-section.ts';
import { savesConfig } from '../../../agent/configuration/saves-section.ts';
import { startWebSocketKiller } from '../../../agent/testing/websocket-killer.ts';
import { type SqlSession, sqlSession } from '../../../server/kernel/testing/sql.ts';
import { installWithServers } from '../../integration/testing/install-with-servers.ts';
import { startMinecraft } from '../../simulators/minecraft-simulator.ts';

/** Many real Game Agents in this process, and the API as a process that is killed. */

const agentCount = 1000;
/** Servers per console command. */
const perRun = 100;
/** One additional server, for the proxy. */
const behindProxy = 'behind-proxy';
const serverIds = Array.from({ length: agentCount }, (_, index) => `server-${index + 1}`);

let installation: Installation;
let sql: SqlSession;
let api: ApiProcess;
let game: Awaited<ReturnType<typeof startMinecraft>>;

beforeAll(async () => {
  installation = await installWithServers([...serverIds, behindProxy]);
  game = await startMinecraft({ quirks: { replyDelayMs: 100 } });
  sql = await sqlSession(installation.databaseUrl);
  api = await installation.startApi();
});
afterAll(async () => {
  await sql[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
  await game[Symbol.asyncDispose]();
});

/** When each agent noted that it was connected, as the milliseconds of this process. */
const connectedMs: number[] = [];
const noteConnection = (line: string): void => {
  if (line.includes('connected to the API')) connectedMs.push(performance.now());
};

const startOne = async (
  serverId: string,
  apiUrl: string,
  timing?: Parameters<typeof startAgent>[0]['timing'],
): Promise<AsyncDisposable> => {
  const stateFolder = join(installation.home, 'agents', serverId);
  await mkdir(stateFolder, { recursive: true });
  return startAgent({
    config: {
      apiUrl: new URL(apiUrl),
      certificatePins: [],
      useWebSocket: true,
      serverId,
      secret: new Secret(installation.variables.GAME_AGENT_SECRET ?? ''),
      game: 'minecraft',
      console: { host: '127.0.0.1', port: game.port, password: new Secret(game.password) },
      logFile: null,
      history: { days: 7, megabytes: 50 },
      server: null,
      survivorsFolder: null,
      saves: savesConfig(undefined, stateFolder, stateFolder),
      mods: modsConfig(undefined, stateFolder, stateFolder),
      outside: nothingSet,
      stateFolder,
    },
    log: createLog({ component: 'agent', destination: { write: noteConnection } }),
    onFailure(error) {
      throw error;
    },
    ...(timing ? { timing } : {}),
  });
};

const connected = async (): Promise<number> => {
  const answer = await api.fetch(healthHttp.gameAgent.path);
  return gameAgentStatus.parse(await answer.json()).connected;
};
const run = (ids: readonly string[], command: string) =>
  api.fetch(consoleHttp.run.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ serverIds: ids, command, timeoutMs: 30_000 }),
  });
const executed = (command: RegExp) => game.world.commands.filter((given) => command.test(given)).length;

interface KeptCommand {
  readonly command: string;
  readonly result: CommandResult | null;
}

// Guarantee: all agents reconnect to a killed API, spread over some seconds, and of the commands in progress none is lost and
// none is carried out twice.
test('the API is killed under a thousand agents', { timeout: 300_000 }, async () => {
  await using agents = new AsyncDisposableStack();
  const started = await Promise.all(serverIds.map((serverId) => startOne(serverId, installation.apiUrl)));
  agents.defer(async () => {
    await Promise.all(started.map((agent) => agent[Symbol.asyncDispose]()));
  });
  await eventually(async () => expect(await connected()).toBe(agentCount), 60_000);

  const runs = Array.from({ length: agentCount / perRun }, (_, index) =>
    run(serverIds.slice(index * perRun, (index + 1) * perRun), `say run ${index}`).catch(() => null),
  );
  await eventually(() => expect(executed(/^say run /)).toBeGreaterThan(agentCount / 10), 30_000);
  const exited = new Promise((resolve) => api.process.once('exit', resolve));
  connectedMs.length = 0;
  api.process.kill('SIGKILL');
  await exited;
  await Promise.all(runs);
  api = await installation.startApi();

  const upMs = performance.now();
  await eventually(async () => expect(await connected()).toBe(agentCount), 90_000);
  const seconds = (performance.now() - upMs) / 1000;
  expect(connectedMs.length).toBeGreaterThanOrEqual(agentCount);
  const bins = Map.groupBy(connectedMs, (ms) => Math.floor(ms / 500));
  const busiest = Math.max(...[...bins.values()].map(({ length }) => length));
  process.stdout.write(
    `\nall ${agentCount} agents were back ${seconds.toFixed(1)} s after the API was; at most ${busiest} within half a second\n`,
  );
  // A thundering herd would all arrive within half a second.
  expect(busiest).toBeLessThan(agentCount * 0.8);

  const kept = await eventually(async () => {
    const rows = await sql.query<KeptCommand>(
      `select command, result from agent_commands where command like 'say run %'`,
    );
    expect(rows.length).toBeGreaterThan(agentCount / 10);
    expect(rows.every(({ result }) => result !== null)).toBe(true);
    return rows;
  }, 60_000);
  const isAnswered = ({ result }: KeptCommand) => result?.outcome === 'answered';
  // The agents survived: each command was carried out once, or is reported as not started.
  expect(kept.filter((row) => !isAnswered(row) && row.result?.sent !== false)).toEqual([]);
  for (let index = 0; index < agentCount / perRun; index += 1) {
    const command = `say run ${index}`;
    const answered = kept.filter((row) => row.command === command && isAnswered(row)).length;
    expect(executed(new RegExp(`^${command}$`)), command).toBe(answered);
  }
  const open = await sql.query(`select 1 from console_commands where outcome is null`);
  expect(open).toHaveLength(0);
});

// Guarantee: if a proxy drops every WebSocket, the agent polls, commands still arrive, and it returns to WebSockets when it can.
test('a proxy that drops every WebSocket', async () => {
  await using proxy = await startWebSocketKiller(Number(new URL(installation.apiUrl).port));
  proxy.mode = 'drop';
  await using _agent = await startOne(behindProxy, proxy.url.href, {
    reconnectMs: () => 50,
    websocketRetryMs: () => 500,
  });
  const mode = async () => {
    const answer = await api.fetch(healthHttp.gameAgent.path);
    const { agents } = gameAgentStatus.parse(await answer.json());
    return agents.find(({ serverId }) => serverId === behindProxy)?.mode;
  };
  const answerTo = async (command: string) => {
    const { entries } = (await (await run([behindProxy], command)).json()) as {
      entries: { outcome: string; via: string }[];
    };
    return entries[0];
  };
  await eventually(async () => expect(await mode()).toBe('polling'), 30_000);
  expect(proxy.upgrades).toBeGreaterThanOrEqual(3);
  expect(await answerTo('say by polling')).toMatchObject({ outcome: 'answered', via: 'agent' });
  expect(executed(/^say by polling$/)).toBe(1);

  proxy.mode = 'pass';
  await eventually(async () => expect(await mode()).toBe('websocket'), 30_000);
  expect(await answerTo('say by websocket')).toMatchObject({ outcome: 'answered', via: 'agent' });
  expect(executed(/^say by websocket$/)).toBe(1);
});
