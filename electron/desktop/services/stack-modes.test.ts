// @module-tag slow

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServicesProgress } from '#contracts/desktop/desktop-services.ts';
import { eventually } from '#harness/eventually.ts';
import { makeHome } from '#runtime/home.ts';
import { splitCommandLine } from '#runtime/windows/command-line-text.ts';
import { type ServiceControl, ServiceRefusedError } from '#runtime/windows/service-control.ts';
import type { ServiceState } from '#runtime/windows/service-state.ts';
import { holdHome } from '../../control/held-home.ts';
import type { ElevatedAct } from '../../elevation/elevated-act.ts';
import type { RunElevated } from '../../elevation/run-elevated.ts';
import { serveDesktop } from '../../headless/services-for-desktop.ts';
import { connectToDesktop } from '../../services/desktop-connection.ts';
import { type HeadlessHome, headlessHome } from '../../testing/headless-home.ts';
import { healthy, standInApi, writePrograms } from '../../testing/stand-ins.ts';
import { openAccessStore } from './access-store.ts';
import { openStackModes, type StackModes } from './stack-modes.ts';

const testMs = 240_000;
const patienceMs = 60_000;
const node = process.execPath;
const secret = 'k'.repeat(43);
const keyProofModule = resolve(import.meta.dirname, '../../../runtime/api-key-proof.ts');

/** Like the real API, it knows whom it has let in, and keeps that over restarts. */
const api = standInApi(`(() => {
  const file = process.env.CASTELLAN_HOME + '/keys.json';
  const rows = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const answer = (body, status = 200) => ({ status, type: 'application/json', body });
  const bearer = (request.headers.authorization ?? '').slice(7);
  const [, asked, nonce] = /^\\/api\\/api-keys\\/(\\w+)\\/proof\\?nonce=(.+)/.exec(request.url) ?? [];
  if (asked) {
    if (!rows.some(({ id }) => id === asked)) return { ...answer({}, 401), type: 'application/problem+json' };
    const proof = keyProofBySecret('${secret}', nonce);
    response.setHeader('content-length', JSON.stringify({ proof }).length);
    return answer({ proof });
  }
  if (request.url === '/api/whoami') {
    const known = rows.some(({ id }) => bearer === 'cdk_' + id + '_${secret}');
    return known ? answer({}) : answer({}, 401);
  }
  if (!request.url.startsWith('/api/desktop-access')) return ${healthy};
  if (bearer === '') return answer({}, 401);
  if (request.method === 'GET') return answer({ rows });
  if (request.method === 'DELETE') {
    const kept = rows.filter(({ id }) => !request.url.endsWith('/' + id));
    writeFileSync(file, JSON.stringify(kept));
    return answer({});
  }
  const id = 'id' + rows.length + Math.random().toString(36).slice(2, 8);
  const at = new Date().toISOString();
  const access = { id, user: 'eva', createdAt: at, expiresAt: at, lastUsedAt: null };
  writeFileSync(file, JSON.stringify([access, ...rows]));
  return answer({ credential: 'cdk_' + id + '_${secret}' });
})()`).replace(
  'import { readFileSync }',
  `import { keyProofBySecret } from ${JSON.stringify(keyProofModule)};
import { existsSync, readFileSync, writeFileSync }`,
);

/** Windows's service manager, which runs the real services as children; a test may make it refuse. */
const serviceManager = () => {
  const services = new Map<string, { command: string; child: ChildProcess | null; state: ServiceState }>();
  const refusals = new Map<string, number>();
  const obey = (act: string, service: string) => {
    const code = refusals.get(`${act} ${service}`);
    if (code !== undefined) throw new ServiceRefusedError(service, code);
  };
  const control: ServiceControl = {
    state: async (service) => services.get(service)?.state ?? 'absent',
    lastExit: async () => null,
    command: async (service) => services.get(service)?.command ?? null,
    async create(service, command) {
      obey('create', service);
      services.set(service, { command, child: null, state: 'stopped' });
    },
    describe: async () => undefined,
    recover: async () => undefined,
    async start(service) {
      obey('start', service);
      const found = services.get(service);
      if (!found || found.child) return;
      const args = splitCommandLine(found.command.replaceAll('\\', '/'));
      const [program = '', ...rest] = args.slice(args.indexOf('--') + 1);
      const child = spawn(program, rest, { stdio: 'ignore' });
      found.child = child;
      found.state = 'running';
      child.once('exit', () => {
        found.child = null;
        found.state = 'stopped';
      });
    },
    async stop(service) {
      const found = services.get(service);
      if (found?.child) found.state = 'stopping';
      found?.child?.kill('SIGINT');
    },
    async delete(service) {
      obey('delete', service);
      services.delete(service);
    },
  };
  return {
    control,
    refusals,
    names: () => [...services.keys()],
    async end() {
      for (const { child } of services.values()) {
        child?.kill('SIGINT');
        if (child) await once(child, 'exit');
      }
    },
  };
};

let home: HeadlessHome;
let windows: ReturnType<typeof serviceManager>;
let opened: AsyncDisposableStack;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  home = opened.use(await headlessHome());
  windows = serviceManager();
  opened.defer(() => windows.end());
  await writePrograms(home.programs, { api });
  await home.writeEnv();
  await makeHome(home.path);
});
afterEach(() => opened.disposeAsync());

/** An administrator agrees, and the elevated process does what it is started for. */
const wireOf = (act: ElevatedAct): string => (act.act === 'services' ? act.wire : '');

const agree: RunElevated = async (act) => {
  if (act.act !== 'services') return expect.unreachable();
  const { home: path, change, wire, component } = act;
  const result = await serveDesktop(wire, change, {
    home: path,
    user: 'eva',
    component,
    control: windows.control,
    prepare: async () => ({ home: path, programsFolder: home.programs, node }),
    run: async () => '',
  });
  return {
    outcome: result.outcome === 'done' ? 'done' : 'failed',
    exitCode: result.outcome === 'done' ? 0 : 1,
  };
};

const vault = {
  isEncryptionAvailable: () => true,
  encryptString: (text: string) => Buffer.from([...text].reverse().join('')),
  decryptString: (sealed: Buffer) => [...sealed.toString()].reverse().join(''),
};

const desktop = async (runElevated: RunElevated = agree, fault: string | null = null) => {
  const told: ServicesProgress[] = [];
  const access = await openAccessStore(home.folder, home.path, vault);
  const modes = await openStackModes({
    home: home.path,
    programsFolder: home.programs,
    node,
    control: windows.control,
    user: 'eva',
    runElevated,
    fault: () => fault,
    access,
    onChange: () => undefined,
    onProgress: (progress) => told.push(progress),
    onStopped: () => undefined,
    complain: (text) => expect.unreachable(text),
    pollMs: { calm: 50, busy: 50 },
  });
  return { modes, told, access };
};

const untilRuns = (modes: StackModes) =>
  eventually(() => expect(modes.status()).toMatchObject({ state: 'running' }), patienceMs);
const pids = (modes: StackModes) => modes.status().components.map(({ pid }) => pid);
const whoAmI = async (modes: StackModes) => (await modes.fetchApi('/api/whoami', {})).status;

/** Takes the port of the API while its service is down. */
const listenOn = async (port: string) => {
  const seen: string[] = [];
  const thief = createServer((request, response) => {
    seen.push(request.rawHeaders.join());
    response.end('{}');
  }).listen(Number(port), '127.0.0.1');
  await once(thief, 'listening');
  return { seen, thief };
};

// Guarantee: the stack moves to services and back with everything it holds, and never runs twice; the desktop gets in with a
// key that is kept sealed and shown only to the API, leaves without stopping a service, finds the services again, and leaves
// no key behind when it goes back.
test('to services and back', { timeout: testMs }, async () => {
  {
    await using running = (await desktop()).modes as StackModes;
    await running.begin();
    await untilRuns(running);
    expect([running.mode(), running.progress().access]).toEqual(['app', 'own']);
    expect(await running.change('install')).toEqual({ outcome: 'done' });
    expect([running.mode(), running.progress().access]).toEqual(['services', 'kept']);
    expect(running.progress().last).toEqual({ act: 'install', result: { outcome: 'done' } });
    await untilRuns(running);
    expect(pids(running)).toEqual([null, null, null]);
    expect(await whoAmI(running)).toBe(200);
  }
  // Quitting has stopped nothing.
  expect(await Promise.all(windows.names().map(windows.control.state))).toEqual([
    'running',
    'running',
    'running',
  ]);

  const { modes, access } = await desktop();
  await using running = modes;
  await running.begin();
  await untilRuns(running);
  expect([running.mode(), access.state(), await whoAmI(running)]).toEqual(['services', 'kept', 200]);
  await running.restart('bot');
  await running.pause();
  expect(running.status().state).toBe('stopped');
  const { seen, thief } = await listenOn(new URL(running.status().apiUrl).port);
  await expect(running.fetchApi('/api/whoami', {})).rejects.toThrow('Another program');
  await expect(running.callApi({ method: 'GET', path: '/api/desktop-access' })).rejects.toThrow(
    'Another program',
  );
  expect(seen).toHaveLength(2);
  expect(seen.join()).not.toContain(secret);
  thief.closeAllConnections();
  await new Promise((resolve) => thief.close(resolve));
  expect(await running.change('start')).toEqual({ outcome: 'done' });
  await untilRuns(running);

  expect(await running.change('uninstall')).toEqual({ outcome: 'done' });
  expect([running.mode(), windows.names(), access.state()]).toEqual(['app', [], 'missing']);
  await untilRuns(running);
  expect(pids(running).every((pid) => pid !== null)).toBe(true);
  const keys = await running.callApi({ method: 'GET', path: '/api/desktop-access' });
  expect(keys.body).toEqual({ rows: [] });
  const logs = join(home.path, 'logs');
  for (const name of (await readdir(logs)).filter((name) => name.endsWith('.log')))
    expect(await readFile(join(logs, name), 'utf8')).not.toContain(secret);
});

// Guarantee: after a refusal in Windows's dialog everything keeps running as if nothing had been asked.
test('a refusal', { timeout: testMs }, async () => {
  const { modes, told } = await desktop(async () => ({ outcome: 'refused', exitCode: 1223 }));
  await using running = modes;
  await running.begin();
  const before = pids(running);
  const [first, second] = await Promise.all([running.change('install'), running.change('install')]);
  expect([first, second]).toEqual([{ outcome: 'refused' }, { outcome: 'busy' }]);
  expect([running.mode(), pids(running)]).toEqual(['app', before]);
  expect(told.at(-1)).toEqual({
    work: null,
    last: { act: 'install', result: { outcome: 'refused' } },
    access: 'own',
  });
});

// Guarantee: what an ordinary account could have replaced is never run with an administrator's rights.
test('programs that are not safe', { timeout: testMs }, async () => {
  const { modes } = await desktop(() => expect.unreachable(), 'D:\\node.exe may be replaced');
  await using running = modes;
  expect(await running.change('install')).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('D:'),
  });
});

// Guarantee: a step that fails, and an elevated process that dies in the middle, leave app mode running and no service.
test('a move that fails', { timeout: testMs, tags: 'night' }, async () => {
  windows.refusals.set('create Castellan-Bot', 1072);
  let elevated = agree;
  const { modes, told } = await desktop((act) => elevated(act));
  await using running = modes;
  await running.begin();
  expect(await running.change('install')).toMatchObject({
    outcome: 'undone',
    step: { kind: 'create', component: 'bot' },
    fault: 'marked-for-deletion',
    left: [],
  });
  await untilRuns(running);
  expect([running.mode(), windows.names()]).toEqual(['app', []]);
  expect(told.flatMap(({ work }) => work?.step.kind ?? [])).toContain('stop-app');

  elevated = async (act) => {
    const connection = await connectToDesktop(wireOf(act));
    await connection.ask('stop-app');
    await connection[Symbol.asyncDispose]();
    return { outcome: 'failed', exitCode: 9 };
  };
  expect(await running.change('install')).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('9'),
  });
  await untilRuns(running);
  expect(running.mode()).toBe('app');
});

// Guarantee: a stack that was stopped for good, such as for a move of its data folder, does not free the folder for services
// that an administrator agrees to only then, and is not started again.
test('agreed too late', { timeout: testMs }, async () => {
  const { modes } = await desktop(async (act) => {
    await modes.stop();
    await using connection = await connectToDesktop(wireOf(act));
    await expect(connection.ask('stop-app')).rejects.toThrow('was stopped');
    await expect(connection.ask('start-app')).rejects.toThrow('was stopped');
    connection.end({ outcome: 'done' });
    return { outcome: 'done', exitCode: 0 };
  });
  await using running = modes;
  await running.begin();
  expect(await running.change('install')).toEqual({ outcome: 'done' });
  expect([running.mode(), running.status().state]).toEqual(['app', 'stopped']);
  await expect(holdHome(home.path, 'another')).rejects.toThrow('already run by');
});

// Guarantee: a key that the API no longer accepts is not shown again, and an administrator's consent gives another one; a
// refusal of the API that is not about the key does not cost it.
test('a revoked key', { timeout: testMs, tags: 'night' }, async () => {
  const { modes, access } = await desktop();
  await using running = modes;
  await running.begin();
  expect(await running.change('install')).toEqual({ outcome: 'done' });
  const { rows } = (await running.callApi({ method: 'GET', path: '/api/desktop-access' })).body as {
    rows: { id: string }[];
  };
  for (const { id } of rows) await running.callApi({ method: 'DELETE', path: `/api/desktop-access/${id}` });
  expect(await whoAmI(running)).toBe(401);
  expect([access.state(), access.key()]).toEqual(['refused', null]);
  expect(await running.change('access')).toEqual({ outcome: 'done' });
  expect([access.state(), await whoAmI(running)]).toEqual(['kept', 200]);
  const kept = await readFile(join(home.folder, 'services-access.json'), 'utf8');
  expect(kept).not.toContain(secret);
});
