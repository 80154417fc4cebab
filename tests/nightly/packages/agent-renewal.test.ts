// @module-tag identity

import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { access, chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentProgramsFolder } from '#contracts/servers/agent-downloads.ts';
import { agentsHttp } from '#contracts/servers/agents.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { powerHttp } from '#contracts/servers/power.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { endWithin, isAlive, signalProcess } from '#runtime/live-process.ts';
import { signAgentRelease } from '#runtime/release/agent-release.ts';
import { readHolderRecord } from '../../../agent/power/holder/holder-record.ts';
import { bootId } from '../../../agent/power/process/process-identity.ts';
import { agentExecutable, packageAgent } from '../../../build/package/agent.ts';
import { layOutAgentPrograms } from '../../../build/package/agent-programs.ts';
import { apiDatabase } from '../../../server/kernel/testing/api-database.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import {
  startTestApi,
  type TestApi,
  testAgentSecret,
  testDesktopCredential,
} from '../../../server/kernel/testing/test-api.ts';
import { whenInUse } from '../../../server/kernel/testing/when-in-use.ts';

/** The shipped programs: an installed agent of one version, and an API that offers the next one. */

const as = testDesktopCredential;
const vendor = generateKeyPairSync('ed25519');
const releaseKeys = [vendor.publicKey.export({ format: 'jwk' }).x ?? ''];
const before = '0.1.0';
const after = '0.1.1';
const broken = '0.1.2';

let installed: TemporaryFolder;
let programs: TemporaryFolder;
let database: TestDatabase;
let api: TestApi;

const startApi = async (port = 0) => {
  api = await startTestApi({ databaseUrl: database.url, programsFolder: programs.path, workers: [], port });
  await whenInUse(api);
};

beforeAll(async () => {
  installed = await temporaryFolder('installed');
  programs = await temporaryFolder('programs');
  const systems = ['linux'] as const;
  await packageAgent({ folder: installed.path, systems, version: before, releaseKeys });
  const signWith = [vendor.privateKey];
  const folder = join(programs.path, agentProgramsFolder);
  await layOutAgentPrograms(folder, { systems, version: after, releaseKeys, signWith });
  database = await apiDatabase();
  await startApi();
}, 240_000);
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await programs[Symbol.asyncDispose]();
  await installed[Symbol.asyncDispose]();
});

/** Starts the installed program again whenever it ends, as a service manager does. */
const keepRunning = (program: string, args: readonly string[]) => {
  const codes: (number | string)[] = [];
  let said = '';
  let isOver = false;
  let child: ChildProcess;
  let exited = Promise.resolve();
  const start = () => {
    const started = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH },
    });
    child = started;
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    exited = once(started, 'exit').then(([code, signal]) => {
      codes.push(signal ?? code);
      if (!isOver) start();
    });
  };
  start();
  return {
    codes,
    said: () => said,
    kill: () => void child.kill('SIGKILL'),
    async [Symbol.asyncDispose]() {
      isOver = true;
      child.kill('SIGTERM');
      await exited;
    },
  };
};

/** An installed agent that holds its game: a program that writes its pid and then a continuous stream of lines. */
const install = async (name: string) => {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder('renewal'));
  const cluster = await call(api.port, clustersHttp.create, { as, body: { name, description: '' } });
  const body = { clusterId: String(cluster.json.id), name, game: 'minecraft' } as const;
  const serverId = String((await call(api.port, gameServersHttp.create, { as, body })).json.id);
  const home = join(folder.path, 'home');
  const own = join(home, 'servers', serverId);
  const game = join(folder.path, 'game');
  const program = join(home, 'program', 'castellan-agent');
  await mkdir(own, { recursive: true });
  await mkdir(join(home, 'program'));
  await mkdir(game);
  await copyFile(join(installed.path, agentExecutable.linux), program);
  await chmod(program, 0o755);
  const script = 'echo $$ >> pids; while :; do echo tick; sleep 0.05; done';
  const config = {
    apiUrl: `http://127.0.0.1:${api.port}`,
    serverId,
    secret: testAgentSecret,
    game: 'minecraft',
    console: null,
    server: {
      folder: game,
      start: { by: 'holder', command: ['/bin/sh', '-c', script] },
      allow: { power: true },
    },
  };
  await writeFile(join(own, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  await mkdir(join(own, 'power'), { mode: 0o700 });
  const wanted = {
    wanted: 'running',
    action: null,
    launch: null,
    crashes: [],
    hasGivenUp: false,
    lastTask: null,
    boot: bootId(),
  };
  await writeFile(join(own, 'power', 'power.json'), JSON.stringify(wanted));
  const pids = async () =>
    (await readFile(join(game, 'pids'), 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
  resources.defer(async () => {
    // The game and the holder of its console outlive the agent.
    const holder = (await readHolderRecord(join(own, 'power')))?.holder.pid;
    const left = [...(await pids()), ...(holder === undefined ? [] : [holder])];
    for (const pid of left) signalProcess(pid, 'SIGKILL');
    await endWithin(left, 10_000);
  });
  return {
    home,
    program,
    own,
    pids,
    service: resources.use(keepRunning(program, ['run', '--home', home])),
    async view() {
      const { rows } = agentsHttp.list.response.parse((await call(api.port, agentsHttp.list, { as })).json);
      return rows.find((row) => row.serverId === serverId);
    },
    async process() {
      const answer = await call(api.port, powerHttp.read, { as, params: { serverId } });
      return powerHttp.read.response.parse(answer.json).process?.report;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

// Guarantee: an installed agent updates itself once to the version that its API offers: settings, key and game stay, and the
// same process of the game is found again.
test('an installed agent renews itself', { timeout: 180_000 }, async () => {
  await using agent = await install('renewed');
  await eventually(async () => expect(await agent.pids()).toHaveLength(1), 60_000);
  const config = await readFile(join(agent.own, 'config.json'), 'utf8');
  await eventually(async () => {
    const view = await agent.view();
    expect(view).toMatchObject({ offeredVersion: after, renewal: { version: after, detail: null } });
    expect(['fetching', 'trying']).toContain(view?.renewal?.step);
  }, 60_000);
  await eventually(() => expect(agent.service.codes).toEqual([75]), 90_000);
  const renewed = { version: after, mode: 'websocket', offeredVersion: null, renewal: null };
  await eventually(async () => expect(await agent.view()).toMatchObject(renewed), 30_000);
  const [pid = 0, ...others] = await agent.pids();
  expect(others).toEqual([]);
  expect(isAlive(pid)).toBe(true);
  await eventually(
    async () => expect(await agent.process()).toMatchObject({ state: 'running', pid, detail: null }),
    30_000,
  );
  expect(await readFile(join(agent.own, 'config.json'), 'utf8')).toBe(config);
  expect(await readdir(join(agent.home, 'program'))).toEqual(
    expect.arrayContaining(['castellan-agent', 'castellan-agent-previous']),
  );
});

// Guarantee: an agent that is killed during the trial of a new version starts as the old version, tries again and ends as the
// new version; there is never a second game.
test('killed during the trial', { timeout: 240_000 }, async () => {
  await using agent = await install('killed');
  await eventually(() => access(join(agent.home, 'program', 'castellan-agent-next')), 60_000);
  agent.service.kill();
  await eventually(
    async () => expect(await agent.view()).toMatchObject({ version: after, mode: 'websocket' }),
    120_000,
  );
  expect(agent.service.codes).toContain('SIGKILL');
  expect(await agent.pids()).toHaveLength(1);
});

// Guarantee: a signed version that does not run changes nothing: the agent and its game continue unchanged.
test('a broken version', { timeout: 240_000 }, async () => {
  await using agent = await install('kept');
  await eventually(() => expect(agent.service.codes).toEqual([75]), 120_000);
  await offerBroken();
  await eventually(() => expect(agent.service.said()).toContain('keeping the current version'), 120_000);
  await eventually(
    async () => expect(await agent.view()).toMatchObject({ version: after, mode: 'websocket' }),
    60_000,
  );
  expect(agent.service.codes).toEqual([75]);
  expect(await agent.pids()).toHaveLength(1);
  await eventually(
    async () =>
      expect(await agent.view()).toMatchObject({
        version: after,
        offeredVersion: broken,
        renewal: {
          step: 'went-back',
          version: broken,
          detail: expect.stringContaining('ended by itself (3)'),
        },
      }),
    60_000,
  );
});

// Guarantee: a version whose program cannot be downloaded is reported, and the agent still knows about it after a restart.
test('a version that cannot be fetched', { timeout: 240_000 }, async () => {
  await offerBroken(Buffer.from('#!/bin/sh\nexit 4\n'));
  await using agent = await install('unfetched');
  const told = { renewal: { step: 'not-fetched', version: broken, detail: expect.any(String) } };
  await eventually(async () => expect(await agent.view()).toMatchObject(told), 120_000);
  agent.service.kill();
  await eventually(() => expect(agent.service.codes).toEqual(['SIGKILL']), 60_000);
  await eventually(
    async () => expect(await agent.view()).toMatchObject({ mode: 'websocket', ...told }),
    60_000,
  );
});

/** Restarts the API with a release whose program ends immediately. @param served in place of the signed program */
const offerBroken = async (served?: Buffer) => {
  const { port } = api;
  await api[Symbol.asyncDispose]();
  const folder = join(programs.path, agentProgramsFolder);
  const file = join(folder, agentExecutable.linux);
  await writeFile(file, '#!/bin/sh\nexit 3\n');
  const manifestFile = join(folder, 'programs.json');
  const content = await readFile(file);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const programsList = {
    files: [
      {
        file: agentExecutable.linux,
        system: 'linux',
        bytes: content.length,
        sha256,
        stored: agentExecutable.linux,
        coding: 'none',
      },
    ],
  };
  await writeFile(manifestFile, JSON.stringify(programsList));
  const release = {
    product: 'castellan-agent' as const,
    version: broken,
    releasedAt: new Date().toISOString(),
    files: [{ platform: 'linux-x64' as const, name: agentExecutable.linux, size: content.length, sha256 }],
  };
  await writeFile(join(folder, 'castellan-agent.release'), signAgentRelease(release, [vendor.privateKey]));
  if (served) await writeFile(file, served);
  await startApi(port);
};
