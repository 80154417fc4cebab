import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { type StackHealth, stackHealth } from '#contracts/operations/health.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { type DemoPortal, startDemoPortal } from '../../build/demo/portal.ts';
import { layOutPrograms } from '../../build/package/programs.ts';
import { completeDelayedStart } from './delayed-start.ts';
import { openWindowsLab, type WindowsLab } from './lab.ts';
import { testOnWindows } from './test-on-windows.ts';

/** A service that has crashed several times is restarted after up to a minute, and Wine starts it slowly. */
const patienceMs = 180_000;
const services = ['Castellan-Postgres', 'Castellan-API', 'Castellan-Bot'] as const;
const programs = 'C:\\Program Files\\Castellan';
const password = 'correct horse battery staple';

interface Machine {
  readonly lab: WindowsLab;
  readonly home: string;
  readonly homeFolder: string;
  readonly apiUrl: string;
  castellan(args: readonly string[], input?: string): ReturnType<WindowsLab['run']>;
  states(): Promise<readonly string[]>;
}

/** A data folder whose name has a space, non-Latin letters, and a part that is unique to this test. */
const setUp = async (lab: WindowsLab, portal: DemoPortal): Promise<Machine> => {
  const home = `C:\\ProgramData\\Castellan ü ${randomBytes(6).toString('hex')}`;
  const homeFolder = join(lab.drive, ...home.split('\\').slice(1));
  await mkdir(homeFolder, { recursive: true });
  await layOutPrograms(join(lab.drive, 'Program Files', 'Castellan'), 'win');
  const apiPort = await freePort();
  const databasePassword = randomBytes(24).toString('base64url');
  const variables = {
    API_PORT: apiPort,
    DATABASE_URL: `postgresql://castellan:${databasePassword}@127.0.0.1:${await freePort()}/castellan?connection_limit=20`,
    LICENSE_SERVER_URL: portal.url,
    LICENSE_SERVER_PUBLIC_KEY: portal.publicKey,
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(homeFolder, '.env'), lines.join(''));
  const castellan: Machine['castellan'] = (args, input) =>
    lab.run(`${programs}\\node.exe`, [`${programs}\\castellan.mjs`, '--home', home, ...args], input);
  return {
    lab,
    home,
    homeFolder,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    castellan,
    async states() {
      const { out } = await castellan(['services', 'status', '--json']);
      return (JSON.parse(out) as { services: { state: string }[] }).services.map(({ state }) => state);
    },
  };
};

const succeed = async (running: ReturnType<WindowsLab['run']>): Promise<string> => {
  const { code, out, err } = await running;
  if (code !== 0) throw new Error(`exit code ${code}: ${err}${out}`);
  return out;
};

const healthy = (apiUrl: string): Promise<StackHealth> =>
  eventually(async () => {
    const response = await fetch(`${apiUrl}/api/health`, { signal: AbortSignal.timeout(5000) });
    const health = stackHealth.parse(await response.json());
    if (health.components.database.status !== 'ok' || health.components.queues.status !== 'ok')
      throw new Error(`not healthy: ${JSON.stringify(health)}`);
    return health;
  }, patienceMs);

const signIn = async (apiUrl: string): Promise<number> => {
  const response = await fetch(apiUrl + sessionsHttp.signIn.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'owner', password, transport: 'bearer' }),
  });
  await response.body?.cancel();
  return response.status;
};

/** Kills the process with these texts in its command line, and waits until another has replaced it. */
const crash = async (lab: WindowsLab, ...texts: readonly [string, ...string[]]): Promise<void> => {
  const [victim] = await eventually(async () => {
    const pids = await lab.pids(...texts);
    if (pids.length !== 1) throw new Error(`${pids.length} processes of ${texts.join(' ')}`);
    return pids as readonly [number];
  }, patienceMs);
  process.kill(victim, 'SIGKILL');
  await eventually(async () => {
    const pids = await lab.pids(...texts);
    if (pids.length !== 1 || pids[0] === victim) throw new Error(`${texts.join(' ')} did not return`);
  }, patienceMs);
};

// Guarantee: a service name that another program uses stays untouched, and so does everything else.
const refusesTakenName = async ({ lab, castellan }: Machine): Promise<void> => {
  await succeed(lab.run('sc.exe', ['create', 'Castellan-Bot', 'binPath=', 'C:\\windows\\notepad.exe']));
  const refused = await castellan(['services', 'install']);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('Castellan-Bot belongs to another program'),
  });
  expect((await lab.run('sc.exe', ['query', 'Castellan-Postgres'])).code).toBe(1060 % 256);
  await succeed(lab.run('sc.exe', ['delete', 'Castellan-Bot']));
};

/** Wine has no recovery actions, so a person starts the service again. */
const loseHost = async ({ lab, home, castellan, states }: Machine): Promise<void> => {
  const bot = 'services\0run\0bot';
  const [host] = await lab.pids('service-host.exe', home, bot);
  expect(host).toBeDefined();
  process.kill(host ?? 0, 'SIGKILL');
  await eventually(async () => expect(await lab.pids('node.exe', home, bot)).toEqual([]), patienceMs);
  await eventually(
    async () => expect(await lab.pids('node.exe', `${programs}\\bot.mjs`)).toEqual([]),
    patienceMs,
  );
  await succeed(castellan(['services', 'start']));
  expect(await states()).toEqual(['running', 'running', 'running']);
};

// Guarantee: the three services keep the stack running through crashes of each process and a power cut, stop cleanly, and leave
// all data to app mode when they are uninstalled.
testOnWindows('the stack as Windows Services', [], async () => {
  await using folder = await temporaryFolder('windows-portal');
  const ports = { api: 0, postgres: 0, portal: await freePort(), portalPostgres: await freePort() };
  await using portal = await startDemoPortal(join(folder.path, 'portal'), ports);
  const licenseKey = await portal.license(join(folder.path, 'license.json'));
  await using lab = await openWindowsLab();
  const machine = await setUp(lab, portal);
  const { castellan, apiUrl, home, homeFolder, states } = machine;
  await refusesTakenName(machine);

  await succeed(castellan(['services', 'install']));
  expect(await states()).toEqual(['running', 'running', 'running']);
  await succeed(castellan(['license', 'activate', licenseKey]));
  await healthy(apiUrl);
  await succeed(castellan(['admin', 'create', '--name', 'owner'], password));
  expect(await signIn(apiUrl)).toBe(200);
  // The bot's process gets only its own settings.
  const botSettings = await readFile(join(homeFolder, 'services', 'bot', 'service.env'), 'utf8');
  expect(botSettings).not.toMatch(/CONFIG_ENCRYPTION_KEY|DATABASE_URL/);

  // Postgres on Windows stores the folder in the machine's code page; this last part of it exists in every code page.
  const inPostgres = home.slice(home.lastIndexOf(' '));
  await crash(lab, 'postgres.exe', '-D', inPostgres);
  await healthy(apiUrl);
  await crash(lab, 'node.exe', `${programs}\\api.mjs`);
  await crash(lab, 'node.exe', `${programs}\\bot.mjs`);
  for (const component of ['postgres', 'api', 'bot'])
    await crash(lab, 'node.exe', home, `services\0run\0${component}`);
  await healthy(apiUrl);
  expect(await castellan(['start'])).toMatchObject({ code: 3 });
  expect(await castellan(['stop'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('castellan services'),
  });

  await loseHost(machine);

  await completeDelayedStart(lab, services);
  await lab.cutPower();
  await lab.boot();
  await healthy(apiUrl);
  expect(await signIn(apiUrl)).toBe(200);

  await succeed(castellan(['services', 'stop']));
  expect(await states()).toEqual(['stopped', 'stopped', 'stopped']);
  await eventually(async () => {
    for (const program of ['node.exe', 'service-host.exe']) expect(await lab.pids(program, home)).toEqual([]);
    for (const program of ['api.mjs', 'bot.mjs', 'guardian.mjs'])
      expect(await lab.pids('node.exe', `${programs}\\${program}`)).toEqual([]);
    expect(await lab.pids('postgres.exe', inPostgres)).toEqual([]);
  }, patienceMs);
  const postgresLog = await readFile(join(homeFolder, 'logs', 'postgres.log'), 'utf8');
  expect(postgresLog.trimEnd().split('\n').at(-1)).toContain('database system is shut down');

  await succeed(castellan(['services', 'start']));
  await healthy(apiUrl);
  await succeed(castellan(['services', 'uninstall']));
  for (const service of services) expect((await lab.run('sc.exe', ['query', service])).code).toBe(1060 % 256);
  expect(existsSync(join(homeFolder, 'services'))).toBe(false);

  const inAppMode = castellan(['start']);
  await healthy(apiUrl);
  expect(await signIn(apiUrl)).toBe(200);
  await succeed(castellan(['stop']));
  await succeed(inAppMode);
});
