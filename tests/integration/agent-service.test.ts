import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect } from 'vitest';
import { testIf } from '#harness/test-if.ts';
import { agentHome } from '../../agent/configuration/agent-home.ts';
import { startAgentFrom } from '../../agent/testing/agent-process.ts';
import { eventually } from '../harness/eventually.ts';
import { currentPrograms } from '../harness/panel-programs.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const run = promisify(execFile);
const unit = '/etc/systemd/system/castellan-agent.service';
const wanted = '/etc/systemd/system/multi-user.target.wants/castellan-agent.service';
const rule = '/etc/polkit-1/rules.d/50-castellan-agent.rules';

/** One of Debian's own accounts; a killed run would leave a test's account behind. */
const account = { name: 'games', uid: 5, gid: 60 };
/** On a machine that runs systemd, this would replace a real service. */
const cannotRun = existsSync('/run/systemd/system') || process.getuid?.() !== 0 || existsSync(unit);

const openMachine = async () => {
  const folder = await temporaryFolder('service');
  const home = agentHome(join(folder.path, 'agent home'), {});
  const program = join(folder.path, 'agent.mjs');
  await using programs = await currentPrograms();
  await copyFile(join(programs.path, 'agent.mjs'), program);
  const game = join(folder.path, 'game Ж');
  await mkdir(game);
  await chown(game, account.uid, account.gid);
  const connect = async (id: string, server: object | null) => {
    await mkdir(dirname(home.configPath(id)), { recursive: true });
    const config = {
      apiUrl: 'http://127.0.0.1:9',
      serverId: id,
      secret: 'a-secret-long-enough',
      game: 'minecraft',
      console: { port: 9, password: 'x' },
    };
    await writeFile(home.configPath(id), JSON.stringify({ ...config, ...(server && { server }) }), {
      mode: 0o600,
    });
  };
  const agent = async (...args: string[]) => {
    await using process = startAgentFrom(program, ...args, '--home', home.folder);
    const code = await process.exited;
    return { code, said: process.stdout() + process.stderr() };
  };
  return {
    folder,
    home,
    program,
    game,
    connect,
    agent,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
};

afterEach(async () => {
  if (cannotRun) return;
  await using machine = await openMachine();
  await machine.agent('uninstall', '--remove-data');
});

// Guarantee: the service runs this program under the account that owns the game, and its removal leaves only the data.
testIf(!cannotRun)('install and uninstall', { tags: ['systemd'] }, async () => {
  await using machine = await openMachine();
  const { home, game, connect, agent } = machine;
  await connect('one', {
    folder: game,
    start: { by: 'systemd', unit: 'minecraft.service' },
    allow: { power: true },
  });

  const refused = await agent('install');
  expect(refused).toEqual({
    code: 1,
    said: expect.stringMatching(/systemd is not running here.*--no-start/s),
  });
  expect(existsSync(unit) || existsSync(home.programFolder)).toBe(false);

  for (let time = 0; time < 2; time += 1) {
    const { code, said } = await agent('install', '--no-start');
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('for the account games') });
  }
  // As in the pasted command; polkit reads its rules under its own account.
  const install = [machine.program, 'install', '--no-start', '--home', home.folder];
  await run('sh', ['-c', 'umask 077; exec "$0" "$@"', process.execPath, ...install]);
  for (const path of [unit, rule]) expect((await stat(path)).mode & 0o777).toBe(0o644);
  const text = await readFile(unit, 'utf8');
  expect(text).toContain('User=games');
  expect((await run('systemd-analyze', ['verify', unit])).stderr).toBe('');
  expect(existsSync(wanted)).toBe(true);
  expect(await readFile(rule, 'utf8')).toContain('["minecraft.service"]');
  expect(await readdir(home.programFolder)).toEqual(['agent.mjs', 'node']);
  for (const path of [home.folder, home.configPath('one'), home.programFolder])
    expect(await stat(path)).toMatchObject({ uid: account.uid, gid: account.gid });
  expect((await stat(home.folder)).mode & 0o777).toBe(0o700);

  const { code, said } = await agent('status');
  expect({ code, said }).toEqual({ code: 3, said: expect.stringContaining('Game servers: one') });
  expect(await agent('start')).toEqual({
    code: 1,
    said: expect.stringContaining('systemd is not running here'),
  });

  expect((await agent('uninstall')).code).toBe(0);
  for (const path of [unit, wanted, rule, home.programFolder]) expect(existsSync(path)).toBe(false);
  expect(existsSync(home.configPath('one'))).toBe(true);
  expect((await agent('uninstall', '--remove-data')).said).toContain('No service is installed');
  expect(existsSync(home.serverFolder('one'))).toBe(false);
});

// Guarantee: the unit's command runs as that account, `status` sees it, and it prevents the deletion of its data.
testIf(!cannotRun)('the installed program runs', async () => {
  await using machine = await openMachine();
  const { home, game, connect, agent } = machine;
  await connect('one', { folder: game });
  await agent('install', '--no-start');
  const command = [
    ...((await readFile(unit, 'utf8')).match(/(?<=^ExecStart=).*$/m)?.[0].matchAll(/"([^"]*)"/g) ?? []),
  ];
  const [program = '', ...args] = command.map(([, word = '']) => word);
  const { name: _, ...ids } = account;
  const running = spawn(program, args, { ...ids, stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  const exited = once(running, 'exit');
  let said = '';
  running.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  try {
    await eventually(() => expect(said).toContain('running server="one"'), 30_000);
    expect(await agent('status')).toEqual({
      code: 0,
      said: expect.stringContaining('An agent is running with'),
    });
    const removal = await agent('uninstall', '--remove-data');
    expect(removal).toEqual({ code: 1, said: expect.stringContaining('Nothing was deleted') });
    for (const path of [home.configPath('one'), home.programFolder, unit])
      expect(existsSync(path)).toBe(true);
  } finally {
    running.kill('SIGTERM');
  }
  expect(await exited).toEqual([0, null]);
});

// Guarantee: no account is guessed: several owners or root must be named; without a game folder the service has no rights.
testIf(!cannotRun)('accounts', { tags: ['systemd', 'night'] }, async () => {
  await using machine = await openMachine();
  const { folder, home, game, connect, agent } = machine;
  const rootGame = join(folder.path, 'root game');
  await mkdir(rootGame);
  const held = { by: 'holder', command: ['./start.sh'] };
  await connect('one', { folder: game, start: held });
  await connect('two', { folder: rootGame, start: held });
  expect(await agent('install', '--no-start')).toEqual({
    code: 1,
    said: expect.stringContaining('several accounts'),
  });
  await connect('one', null);
  expect(await agent('install', '--no-start')).toEqual({
    code: 1,
    said: expect.stringContaining('belongs to root'),
  });
  expect(await agent('install', '--no-start', '--account', 'nobody-there')).toEqual({
    code: 1,
    said: expect.stringContaining('no account'),
  });
  expect(existsSync(unit)).toBe(false);

  await connect('one', { folder: game, start: held });
  expect((await agent('install', '--no-start', '--account', 'root')).code).toBe(0);
  const startOf = async (id: string) => JSON.parse(await readFile(home.configPath(id), 'utf8')).server.start;
  expect(await startOf('one')).toEqual({ ...held, account: 'games' });
  expect(await startOf('two')).toEqual(held);
  expect((await agent('install', '--no-start', '--account', 'games')).code).toBe(0);
  expect(await startOf('one')).toEqual(held);

  await connect('one', null);
  await connect('two', null);
  expect((await agent('install', '--no-start')).said).toContain('for the account castellan-agent');
  await agent('uninstall', '--remove-data');
  await expect(run('getent', ['passwd', 'castellan-agent'])).rejects.toThrow();
});

// Guarantee: what an account has put into a data folder does not run under the service's account.
testIf(!cannotRun)('what another account has put there', async () => {
  await using machine = await openMachine();
  const { home, game, connect, agent } = machine;
  await connect('one', { folder: game, start: { by: 'holder', command: ['./mine.sh'] } });
  const install = (name: string) => agent('install', '--no-start', '--account', name);
  const daemon = 1;
  await chown(home.configPath('one'), daemon, daemon);
  const refusal = (path: string) => ({
    code: 1,
    said: expect.stringMatching(
      new RegExp(`${path} belongs to the account daemon.*--account daemon.*chown -R root`),
    ),
  });
  expect(await install('games')).toEqual(refusal('config.json'));
  await chown(home.folder, daemon, daemon);
  for (const name of ['root', 'games']) expect(await install(name)).toEqual(refusal('agent home'));
  expect(await stat(home.configPath('one'))).toMatchObject({ uid: daemon });
  expect(existsSync(unit) || existsSync(home.programFolder)).toBe(false);
  for (const path of [home.folder, home.configPath('one')]) await chown(path, 0, 0);
  expect((await install('games')).code).toBe(0);
});

// Guarantee: without root nothing is tried, and the command to type is shown.
testIf(!cannotRun)('without root', async () => {
  await using machine = await openMachine();
  for (const action of ['install', 'uninstall', 'start', 'stop']) {
    const tried = await run(process.execPath, [machine.program, action], {
      uid: account.uid,
      gid: account.gid,
      cwd: '/',
    }).catch((error) => error);
    expect(tried).toMatchObject({
      code: 77,
      stderr: expect.stringContaining(`sudo node agent.mjs ${action}`),
    });
  }
});
