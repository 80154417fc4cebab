// @module-tag identity

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { agentsHttp } from '#contracts/servers/agents.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { builtProgram } from '#harness/built-program.ts';
import { eventually } from '#harness/eventually.ts';
import type { ApiProcess, Installation } from '#harness/installation.ts';
import { openPseudoTerminal } from '#harness/pseudo-terminal.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';
import { installWithServers } from './testing/install-with-servers.ts';

/** The agent and the API as processes that can be killed. */

const agentMain = builtProgram('agent', resolve(import.meta.dirname, '../../agent/main.ts'));

let installation: Installation;
let api: ApiProcess;

beforeAll(async () => {
  installation = await installWithServers([
    'whole',
    'lost',
    'killed',
    'false',
    'kept',
    'twice',
    'asked',
    'spared',
  ]);
  api = await installation.startApi();
});
afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

const newCode = async (serverId: string) => {
  const path = enrolmentsHttp.create.path.replace(':serverId', serverId);
  const answer = await api.fetch(path, { method: 'POST' });
  const read = enrolmentsHttp.create.response.safeParse(await answer.json());
  if (!read.success) throw new Error(`no code: ${answer.status}`);
  return { code: read.data.code, id: read.data.enrolment.id };
};

/** Without the cache of compiled code, each of the agents takes twice the processor time to start. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const bareEnv = { PATH, NODE_COMPILE_CACHE };

interface EnrolOptions {
  readonly apiUrl: string;
  readonly home: string;
  readonly code: string;
  readonly id: string;
  readonly more?: readonly string[];
  /** The code comes on stdin. */
  readonly byInput?: boolean;
}

const startEnrol = ({ apiUrl, home, code, id, more = ['--no-start'], byInput }: EnrolOptions) => {
  const args = [agentMain, 'enrol', '--api', apiUrl, '--enrolment', id, '--home', home, ...more];
  const env = { ...bareEnv, ...(byInput ? {} : { CASTELLAN_ENROLMENT_CODE: code }) };
  const child = spawn(process.execPath, args, { env });
  const said = { all: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      said.all += part;
    });
  child.stdin.end(byInput ? `${code}\n` : '');
  const exited = once(child, 'close').then(([exitCode, signal]) => signal ?? exitCode);
  return {
    child,
    said: () => said.all,
    exited,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
const configIn = async (home: string, serverId: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(home, 'servers', serverId, 'config.json'), 'utf8'));
const modeOf = async (serverId: string) => {
  const { rows } = agentsHttp.list.response.parse(await (await api.fetch(agentsHttp.list.path)).json());
  return rows.find((row) => row.serverId === serverId);
};

const stateOf = async (serverId: string) => {
  const answer = await api.fetch(enrolmentsHttp.read.path.replace(':serverId', serverId));
  return enrolmentsHttp.read.response.parse(await answer.json()).enrolment?.state;
};

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse, forward: () => Promise<Buffer>) => void;

/** A proxy between agent and API that decides what happens to an answer that the API has already committed. */
const standBetween = async (handle: Handle) => {
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const forward = async (): Promise<Buffer> => {
      const asked = request(new URL(incoming.url ?? '', installation.apiUrl), {
        method: 'POST',
        headers: incoming.headers,
      });
      asked.end(body);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      outgoing.statusCode = answer.statusCode ?? 0;
      return buffer(answer);
    };
    handle(incoming, outgoing, forward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

// Guarantee: the code alone makes the agent that of its server, and it connects with its own secret, even while the game's
// console is unknown; no secret is in its arguments or output, and only its owner can read the files that it wrote.
test('the whole way', async () => {
  await using folder = await temporaryFolder('enrol Ünïcode');
  await using game = await startMinecraft();
  const made = await newCode('whole');
  const home = join(folder.path, 'an agent');
  await using agent = startEnrol({ apiUrl: installation.apiUrl, home, ...made, more: ['--foreground'] });
  await eventually(
    async () => expect(await modeOf('whole')).toMatchObject({ mode: 'websocket', state: 'unknown' }),
    60_000,
  );
  expect((await modeOf('whole'))?.detail).toContain('No console is set up');
  const cmdline = await readFile(`/proc/${agent.child.pid}/cmdline`, 'utf8');
  const config = await configIn(home, 'whole');
  expect(config).toMatchObject({ serverId: 'whole', game: 'minecraft', console: null });
  const ran = await api.fetch(consoleHttp.run.path, {
    method: 'POST',
    body: JSON.stringify({ serverIds: ['whole'], command: 'list' }),
    headers: { 'Content-Type': 'application/json' },
  });
  expect(await ran.text()).toContain('not ready');
  for (const hidden of [made.code, String(config.secret)])
    for (const told of [cmdline, agent.said()]) expect(told).not.toContain(hidden);
  const path = join(home, 'servers', 'whole', 'config.json');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(['servers']);
  agent.child.kill('SIGTERM');
  expect(await agent.exited).toBe(0);
  expect(agent.said()).toContain('is not set up yet. Run: node agent.mjs setup');

  // Adds the console to the configuration, as a person would.
  const console = { port: game.port, password: game.password };
  await writeFile(path, JSON.stringify({ ...config, console }));
  const check = spawn(process.execPath, [agentMain, '--config', path, '--check']);
  expect(await text(check.stdout)).toContain('accepts this agent for the server "whole"');
});

// Guarantee: if the API is killed between commit and answer, the agent that asks again is enrolled, with the same secret.
test('the API is killed before it answers', { tags: 'night' }, async () => {
  await using folder = await temporaryFolder('enrol');
  const made = await newCode('lost');
  let asked = 0;
  await using between = await standBetween(async (_incoming, outgoing, forward) => {
    asked += 1;
    const answer = await forward().catch(() => null);
    if (asked > 1 && answer) return void outgoing.end(answer);
    if (asked === 1) {
      const killed = once(api.process, 'exit');
      api.process.kill('SIGKILL');
      await killed;
      api = await installation.startApi();
    }
    outgoing.destroy();
  });
  await using agent = startEnrol({ apiUrl: between.url, home: folder.path, ...made, byInput: true });
  expect({ exit: await agent.exited, said: agent.said() }).toMatchObject({ exit: 0 });
  expect(asked).toBeGreaterThan(1);
  const path = join(folder.path, 'servers', 'lost', 'config.json');
  await writeFile(
    path,
    JSON.stringify({ ...(await configIn(folder.path, 'lost')), apiUrl: installation.apiUrl }),
  );
  const check = spawn(process.execPath, [agentMain, '--config', path, '--check']);
  expect(await text(check.stdout)).toContain('accepts this agent');
});

// Guarantee: an agent that is killed before its configuration is written continues when its command is pasted again; after that,
// the code is useless to anyone else.
test('the agent is killed before it has written', async () => {
  await using folder = await temporaryFolder('enrol');
  const made = await newCode('killed');
  let isHeld = false;
  await using between = await standBetween(async (_incoming, _outgoing, forward) => {
    await forward();
    isHeld = true;
  });
  {
    await using agent = startEnrol({ apiUrl: between.url, home: folder.path, ...made });
    await eventually(() => expect(isHeld).toBe(true), 60_000);
    agent.child.kill('SIGKILL');
    await agent.exited;
  }
  const [draft] = await readdir(join(folder.path, 'enrolling'));
  expect((await stat(join(folder.path, 'enrolling', draft ?? ''))).mode & 0o777).toBe(0o600);
  await using again = startEnrol({ apiUrl: installation.apiUrl, home: folder.path, ...made });
  expect({ exit: await again.exited, said: again.said() }).toMatchObject({ exit: 0 });
  expect(await readdir(folder.path)).toEqual(['servers']);
  await using other = await temporaryFolder('enrol');
  await using late = startEnrol({ apiUrl: installation.apiUrl, home: other.path, ...made });
  expect(await late.exited).toBe(1);
  expect(late.said()).toContain('Setup command already used');
  expect(await readdir(other.path)).toEqual([]);
});

// Guarantee: an API that does not know the code is not trusted, no matter what it answers: nothing is written.
test('a false API', async () => {
  await using folder = await temporaryFolder('enrol');
  for (const change of [
    { proof: 'A'.repeat(43) },
    { serverName: 'another' },
    { serverId: '../../../etc' },
    { game: 'ark-se' },
    { exchangeKey: 'A'.repeat(43) },
  ]) {
    const { code, id } = await newCode('false');
    await using between = await standBetween(async (_incoming, outgoing, forward) => {
      outgoing.end(JSON.stringify({ ...JSON.parse(String(await forward())), ...change }));
    });
    await using agent = startEnrol({ apiUrl: between.url, home: folder.path, code, id });
    expect(await agent.exited).toBe(1);
    expect(agent.said()).toContain('not the Castellan that made this code');
    await expect(access(join(folder.path, 'servers'))).rejects.toMatchObject({ code: 'ENOENT' });
  }
});

// Guarantee: a handwritten configuration keeps everything that the enrolment does not decide; a broken one stays unchanged.
test('a configuration by hand', async () => {
  await using folder = await temporaryFolder('enrol');
  const own = join(folder.path, 'servers', 'kept');
  await mkdir(own, { recursive: true });
  const kept = { console: { port: 4711, password: 'of the game' }, useWebSocket: false, logFile: 'a.log' };
  await writeFile(join(own, 'config.json'), '{ "broken": ');
  const made = await newCode('kept');
  await using first = startEnrol({ apiUrl: installation.apiUrl, home: folder.path, ...made });
  expect(await first.exited).toBe(1);
  expect(first.said()).toContain('is not valid JSON');
  await writeFile(
    join(own, 'config.json'),
    `\uFEFF${JSON.stringify({ secret: 'the shared one of before', ...kept })}`,
  );
  await using second = startEnrol({ apiUrl: installation.apiUrl, home: folder.path, ...made });
  expect({ exit: await second.exited, said: second.said() }).toMatchObject({ exit: 0 });
  const config = await configIn(folder.path, 'kept');
  expect(config).toMatchObject({ ...kept, serverId: 'kept', game: 'minecraft' });
  expect(config.secret).not.toBe('the shared one of before');
});

// Guarantee: while an agent uses the folder, a second one is refused with the reason, and the same command works once the first
// has ended.
test('two agents for one folder', async () => {
  await using folder = await temporaryFolder('enrol');
  const first = await newCode('twice');
  await using running = startEnrol({
    apiUrl: installation.apiUrl,
    home: folder.path,
    ...first,
    more: ['--foreground'],
  });
  await eventually(async () => expect(await modeOf('twice')).toMatchObject({ mode: 'websocket' }), 60_000);
  const made = await newCode('twice');
  await using refused = startEnrol({ apiUrl: installation.apiUrl, home: folder.path, ...made });
  expect(await refused.exited).toBe(69);
  expect(refused.said()).toContain('is already running');
  running.child.kill('SIGTERM');
  await running.exited;
  await using again = startEnrol({ apiUrl: installation.apiUrl, home: folder.path, ...made });
  expect({ exit: await again.exited, said: again.said() }).toMatchObject({ exit: 0 });
});

// Guarantee: pasted into a terminal, the command continues with the questions of the setup, and waits for the answers.
test('questions in a terminal', async () => {
  await using folder = await temporaryFolder('enrol');
  const { id, code } = await newCode('asked');
  const args = ['--api', installation.apiUrl, '--enrolment', id, '--server', 'asked', '--home', folder.path];
  await using terminal = openPseudoTerminal([process.execPath, agentMain, 'enrol', ...args, '--foreground'], {
    ...bareEnv,
    CASTELLAN_ENROLMENT_CODE: code,
  });
  // Other games may run on this machine.
  await eventually(
    () => expect(terminal.shown()).toMatch(/Number \[|Folder of the Minecraft server/),
    30_000,
  );
  expect(terminal.shown()).not.toContain('Nothing was changed');
  terminal.type('\x03');
  await eventually(() => expect(terminal.shown()).toContain('connected to the API'), 60_000);
  terminal.type('\x03');
  expect(await terminal.exited).toBe(0);
});

// Guarantee: obstacles are found before the code is used: an agent that runs there, and a config.json that cannot be read.
test('nothing is used for nothing', async () => {
  await using folder = await temporaryFolder('enrol');
  const first = await newCode('spared');
  const more = ['--server', 'spared'];
  await using running = startEnrol({
    apiUrl: installation.apiUrl,
    home: folder.path,
    ...first,
    more: [...more, '--foreground'],
  });
  await eventually(async () => expect(await modeOf('spared')).toMatchObject({ mode: 'websocket' }), 60_000);
  const made = await newCode('spared');
  const enrol = async () => {
    await using process = startEnrol({
      apiUrl: installation.apiUrl,
      home: folder.path,
      ...made,
      more: [...more, '--no-start'],
    });
    return { exit: await process.exited, said: process.said() };
  };
  const isOpen = async () => expect(await stateOf('spared')).toBe('open');
  expect(await enrol()).toMatchObject({ exit: 69, said: expect.stringContaining('is already running') });
  await isOpen();
  expect(await modeOf('spared')).toMatchObject({ mode: 'websocket' });
  running.child.kill('SIGTERM');
  await running.exited;
  const config = join(folder.path, 'servers', 'spared', 'config.json');
  const kept = await readFile(config, 'utf8');
  await writeFile(config, kept.slice(0, -20));
  expect(await enrol()).toMatchObject({ exit: 1, said: expect.stringContaining('is not valid JSON') });
  await isOpen();
  await writeFile(config, kept);
  expect(await enrol()).toMatchObject({ exit: 0 });
});
