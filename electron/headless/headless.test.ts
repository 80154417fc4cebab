import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operatorRole } from '#contracts/product.ts';
import { type StackStatus, stackControl, stackStatus } from '#contracts/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { isAlive } from '#harness/script.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { controlAddress } from '../control/control-address.ts';
import { callSupervisor } from '../control/control-client.ts';
import { licenseProblem, standInApi, wellBehaved, writePrograms } from '../testing/stand-ins.ts';

let folder: TemporaryFolder;
let home: string;
let programs: string;
let apiPort: number;
let started: ChildProcess[];

beforeEach(async () => {
  folder = await temporaryFolder('headless');
  home = join(folder.path, 'home');
  programs = await writePrograms(join(folder.path, 'programs'));
  apiPort = await freePort();
  started = [];
});
afterEach(async () => {
  for (const child of started) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await folder[Symbol.asyncDispose]();
});

/** Ports of its own, as a person would write them before a first start. */
const writeEnv = async (lines: readonly string[] = []) => {
  const postgresPort = await freePort();
  const url = `postgresql://castellan:a-password-of-the-api@127.0.0.1:${postgresPort}/castellan?connection_limit=20`;
  await mkdir(home, { recursive: true, mode: 0o711 });
  await writeFile(
    stackEnvPath(home),
    [`API_PORT=${apiPort}`, `DATABASE_URL=${url}`, ...lines, ''].join('\n'),
  );
};

const environment = () => ({ ...systemEnv(), CASTELLAN_HOME: home });
const command = () => join(programs, 'castellan.mjs');

interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const runWith = (input: string, ...args: string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    const options = { env: environment(), timeout: 50_000 };
    const child = execFile(process.execPath, [command(), ...args], options, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
const run = (...args: string[]) => runWith('', ...args);

const launch = (): ChildProcess => {
  const child = spawn(process.execPath, [command(), 'start'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
};

const status = async (): Promise<StackStatus> => {
  const found = await callSupervisor(home, stackControl.status);
  if (!found) throw new Error('nobody holds the home');
  return found;
};
const whenRuns = (state = 'running') =>
  eventually(async () => {
    const found = await status();
    expect(found.state).toBe(state);
    return found;
  }, 40_000);
const pids = (stack: StackStatus): number[] =>
  stack.components.flatMap(({ pid }) => (pid === null ? [] : [pid]));

// Guarantee: one word starts the stack, others see, restart and stop it, and nothing is left.
test('start, status, restart, stop', async () => {
  await writeEnv();
  const child = launch();
  const said = child.stdout ? text(child.stdout) : '';
  const first = await whenRuns();
  expect(first).toMatchObject({ home, pid: child.pid, heldBy: 'the command line' });
  expect(first.apiUrl).toBe(`http://127.0.0.1:${apiPort}`);

  const second = await run('start');
  expect(second.exitCode).toBe(3);
  expect(second.stderr).toMatch(
    new RegExp(`already run by the command line \\(pid ${child.pid}, since .*castellan status`),
  );

  expect((await run('restart', 'api')).stdout).toMatch(/^api +running/);
  const restarted = await status();
  expect(restarted.components.map(({ pid }, index) => pid === first.components[index]?.pid)).toEqual([
    true,
    false,
    true,
  ]);
  const asJson = await run('status', '--json');
  expect(stackStatus.parse(JSON.parse(asJson.stdout))).toEqual(await status());
  expect((await run('status')).stdout).toMatch(
    /Castellan is running\n +postgres +running \(pid \d+, port \d+\)/,
  );

  expect(await run('stop')).toEqual({ exitCode: 0, stdout: 'Stopped.\n', stderr: '' });
  expect(pids(restarted).filter(isAlive)).toEqual([]);
  expect(await run('status')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('castellan start'),
  });
  expect(await said).toMatch(
    /postgres +running.*api +running.*bot +running.*Castellan runs.*postgres +stopped/s,
  );
  expect(await readdir(home)).not.toContain('supervisor.json');
  const log = await readFile(join(home, 'logs/supervisor.log'), 'utf8');
  for (const line of log.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ component: 'supervisor' });
});

/** A bot that takes its time to stop, and says that it was told to. */
const slowBot = `
process.on('message', ({ type, id }) => {
  if (type === 'ping') return process.send({ type: 'pong', id });
  console.log('asked to stop');
  setTimeout(() => process.exit(), 3000);
});
process.on('disconnect', () => process.exit());`;

const componentStates = async () => (await status()).components.map(({ state }) => state);

// Guarantee: a caller of `stop` that goes away meanwhile takes nothing from it: the stack stops and the home is free. What
// arrives during the stop starts nothing again.
test('a stop whose caller goes away', async () => {
  await writePrograms(programs, { bot: slowBot });
  await writeEnv();
  const child = launch();
  const before = await whenRuns();
  const { token } = JSON.parse(await readFile(join(home, 'supervisor.json'), 'utf8'));
  const { method, path } = stackControl.stop;
  const asked = request({
    socketPath: await controlAddress(home),
    method,
    path,
    headers: { Authorization: `Bearer ${token}` },
  });
  asked.on('error', () => undefined);
  asked.end();
  await eventually(async () => expect(await componentStates()).toEqual(['running', 'running', 'stopping']));
  asked.destroy();
  for (const component of ['api', undefined] as const)
    await expect(callSupervisor(home, stackControl.restart, { component })).rejects.toThrow(/being stopped/);
  await eventually(() => expect(child.exitCode).toBe(0), 20_000);
  expect(pids(before).filter(isAlive)).toEqual([]);
});

// Guarantee: a changed setting that components share reaches all of them, whichever one is restarted, and what still runs on
// the old one meanwhile is not taken for hung.
test('a restart after a change of what is shared', async () => {
  await writePrograms(programs, { bot: slowBot });
  await writeEnv();
  launch();
  const before = await whenRuns();
  const port = await freePort();
  const settings = await readFile(stackEnvPath(home), 'utf8');
  const changed = settings
    .replace(/^API_PORT=.*$/m, `API_PORT=${port}`)
    .replace('a-password-of-the-api', 'another-password-of-it');
  await writeFile(stackEnvPath(home), changed);
  expect(await run('restart', 'bot')).toMatchObject({ exitCode: 0 });
  const after = await status();
  expect(after).toMatchObject({ state: 'running', apiUrl: `http://127.0.0.1:${port}` });
  expect(after.components[1]).toMatchObject({ port, restarts: 0 });
  expect(pids(before).filter(isAlive)).toEqual([]);
  expect(await readFile(join(home, 'logs/supervisor.log'), 'utf8')).not.toContain('unhealthy');
  const connectionString = /^DATABASE_URL=(.*)\?/m.exec(changed)?.[1];
  const api = new Client({ connectionString });
  await api.connect();
  await api.end();
});

// Guarantee: a secret that was changed is cut out of the logs for as long as something may still run with it.
test('an old secret stays out of the logs', async () => {
  const old = 'the-old-secret-of-the-agents';
  await writePrograms(programs, {
    bot: `setInterval(() => console.log('still ${old}, then the-new-secret-of-the-agents'), 100); ${wellBehaved}`,
  });
  await writeEnv([`GAME_AGENT_SECRET=${old}`]);
  launch();
  await whenRuns();
  await appendFile(stackEnvPath(home), 'GAME_AGENT_SECRET=the-new-secret-of-the-agents\n');
  expect(await run('restart', 'api')).toMatchObject({ exitCode: 0 });
  const log = () => readFile(join(home, 'logs/bot.log'), 'utf8');
  await eventually(async () => expect(await log()).toContain('still [redacted], then [redacted]'));
  expect(await log()).not.toContain(old);
});

// Guarantee: what a component prints cannot command the terminal of whoever started the stack.
test('the last lines of a failed component', async () => {
  await writePrograms(programs, { api: "console.log('\\x1b[31mred'); process.exit(78);" });
  await writeEnv();
  const child = launch();
  const complaints = child.stderr ? text(child.stderr) : '';
  await whenRuns('failed');
  child.kill('SIGTERM');
  const said = await complaints;
  expect(said).toContain('    \\x1b[31mred');
  expect(said).not.toContain('\x1b');
});

// Guarantee: after a kill -9 of the supervisor nothing of the stack lives 5 s later, and the next start recovers.
test('a killed supervisor leaves no orphans', async () => {
  await writeEnv();
  const child = launch();
  const before = await whenRuns();
  const killedAt = performance.now();
  child.kill('SIGKILL');
  await eventually(() => expect(pids(before).filter(isAlive)).toEqual([]), 5000);
  expect(performance.now() - killedAt).toBeLessThan(5000);
  launch();
  expect(pids(await whenRuns())).toHaveLength(3);
});

// Guarantee: a start right after a kill finds its way, though the dead one's children still hold the ports.
test('a start at once after a kill', async () => {
  await writeEnv();
  launch().kill('SIGKILL');
  const child = launch();
  await whenRuns();
  child.kill('SIGKILL');
  await once(child, 'exit');
  launch();
  await whenRuns();
});

// Guarantee: an API that refuses for want of a license is running and left alone; the stack says unlicensed.
test('an unlicensed stack', async () => {
  await writePrograms(programs, { api: standInApi(licenseProblem) });
  await writeEnv();
  launch();
  const first = await whenRuns('unlicensed');
  const asked = (stack: StackStatus) => Number(/asked (\d+)/.exec(stack.components[1]?.reason ?? '')?.[1]);
  await eventually(async () => expect(asked(await status())).toBeGreaterThan(asked(first) + 1));
  expect((await status()).components).toMatchObject(
    first.components.map(({ pid }) => ({ pid, restarts: 0, state: 'running' })),
  );
});

// Guarantee: a taken port is reported with who has it and a free one, while the rest runs; `.env` is read again by restart.
test('a taken port', async () => {
  await writeEnv();
  const server = createServer().listen(apiPort, '127.0.0.1');
  await once(server, 'listening');
  const child = launch();
  const complaints = child.stderr ? text(child.stderr) : '';
  const failed = await whenRuns('failed');
  const [, offered] =
    /is taken by .+ \(pid (?:\d+)\); (\d+) is free: set API_PORT=\1$/.exec(
      failed.components[1]?.reason ?? '',
    ) ?? [];
  expect(failed.components[1]?.reason).toContain(`port ${apiPort} is taken by`);
  expect(failed.components[1]?.reason).toContain(`(pid ${process.pid})`);
  await eventually(async () =>
    expect((await status()).components.map(({ state }) => state)).toEqual(['running', 'failed', 'running']),
  );

  await appendFile(stackEnvPath(home), `API_PORT=${offered}\nEVENT_LOG_RETENTION_DAYS=1000\n`);
  expect(await run('restart', 'api')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('EVENT_LOG_RETENTION_DAYS: must be at most 730'),
  });
  await appendFile(stackEnvPath(home), 'EVENT_LOG_RETENTION_DAYS=30\n');
  expect(await run('restart', 'api')).toMatchObject({ exitCode: 0 });
  expect(await status()).toMatchObject({ state: 'running', apiUrl: `http://127.0.0.1:${offered}` });
  server.close();
  child.kill('SIGTERM');
  expect(await complaints).toContain('is free: set API_PORT=');
});

// Guarantee: a wrong configuration refuses the start, names every fault, and leaves the file alone.
test('a wrong .env', async () => {
  await writeEnv(['CONFIG_ENCRYPTION_KEY=abc', 'LICENSE_GRACE_PERIOD_DAYS=31']);
  const before = await readFile(stackEnvPath(home), 'utf8');
  const { exitCode, stderr } = await run('start');
  expect(exitCode).toBe(78);
  expect(stderr).toMatch(
    /2 wrong values.*CONFIG_ENCRYPTION_KEY: .*64 hex.*LICENSE_GRACE_PERIOD_DAYS: must be at most 30/s,
  );
  expect(await readFile(stackEnvPath(home), 'utf8')).toBe(before);
  expect(await readdir(home)).not.toContain('supervisor.json');
});

// Guarantee: a home that cannot be written is said in one sentence.
test('an unwritable home', async () => {
  await writeFile(join(folder.path, 'file'), '');
  home = join(folder.path, 'file', 'home');
  const { exitCode, stderr } = await run('start');
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^The home folder .* cannot be written: .*\n$/);
});

// Guarantee: the bot gets six variables and no other secret; no secret reaches a log or a process argument.
test('who is told what', async () => {
  const token = 'the-token-of-the-discord-bot';
  await writePrograms(programs, {
    bot: `console.log(JSON.stringify({ env: process.env })); console.log(process.env.INTERNAL_API_SECRET);
      process.on('message', ({ type, id }) => (type === 'stop' ? process.exit() : process.send({ type: 'pong', id })));
      process.on('disconnect', () => process.exit());`,
  });
  await writeEnv([`DISCORD_BOT_TOKEN=${token}`, 'LOG_LEVEL=warn']);
  launch();
  const stack = await whenRuns();
  const log = await readFile(join(home, 'logs/bot.log'), 'utf8');
  const { env } = JSON.parse(log.split('\n')[0] ?? '');
  const own = Object.keys(env).filter((name) => !(name in systemEnv()));
  expect(own.sort()).toEqual(['API_URL', 'DISCORD_BOT_TOKEN', 'INTERNAL_API_SECRET', 'LOG_LEVEL']);
  const settings = await readFile(stackEnvPath(home), 'utf8');
  const secrets = [
    ...settings.matchAll(/^(?:\w+_SECRET|CONFIG_ENCRYPTION_KEY|DISCORD_BOT_TOKEN)=(.+)$/gm),
  ].map(([, value]) => value ?? '');
  expect(secrets).toHaveLength(4);
  const logs = await Promise.all(
    (await readdir(join(home, 'logs'))).map((name) => readFile(join(home, 'logs', name), 'utf8')),
  );
  const args = await Promise.all(
    [...pids(stack), stack.pid].map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')),
  );
  for (const secret of [...secrets, 'a-password-of-the-api'])
    expect([...logs, ...args].join('\n')).not.toContain(secret);
});

// Guarantee: `sql` runs one statement as the limited role, and its audit row commits with it or not at all.
test('sql', async () => {
  expect(await run('sql', 'select 1')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('castellan start'),
  });
  await writeEnv();
  launch();
  await whenRuns();
  expect(await run('sql', 'select 1')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('has not prepared'),
  });

  const connectionString = /^DATABASE_URL=(.*)\?/m.exec(await readFile(stackEnvPath(home), 'utf8'))?.[1];
  const api = new Client({ connectionString });
  await api.connect();
  try {
    await api.query(`
      create table audit_logs (statement text);
      grant select on audit_logs to ${operatorRole};
      create function castellan_audit_sql(statement text) returns void language sql security definer
        as 'insert into audit_logs values (statement)';`);
    const shown = await run('sql', "select 7 as seven, null as nothing, E'a\\x1b[31m' as red");
    expect(shown).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: 'seven  nothing  red\n-----  -------  ---------\n7      null     a\\x1b[31m\n(1 row)\n',
    });
    const json = await runWith('select statement from audit_logs', 'sql', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ command: 'SELECT', rowCount: 2 });
    for (const [statement, words] of [
      ['/* unseen */ rollback', /ROLLBACK is refused/],
      ['abort and chain', /ROLLBACK is refused/],
      ['select 1; select 2', /multiple commands/],
      ['drop table audit_logs', /must be owner/],
      ['selec 1', /syntax error/],
      ['', /stdin/],
    ] as const)
      expect(await run('sql', statement)).toMatchObject({ stdout: '', stderr: expect.stringMatching(words) });
    expect((await api.query('select from audit_logs')).rowCount).toBe(2);
  } finally {
    await api.end();
  }
});

// Guarantee: wrong usage is told apart from failure, and every command explains itself with its exit codes.
test('usage', async () => {
  for (const args of [
    [],
    ['nonsense'],
    ['restart', 'nobody'],
    ['status', '--nonsense'],
    ['license', 'activate'],
  ])
    expect(await run(...args), args.join(' ')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/\S/),
    });
  for (const args of [[], ['license', 'activate']])
    expect(await run(...args, '--help')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/Exit codes:\n +0 /),
    });
  const elsewhere = await run('--home', join(folder.path, 'elsewhere'), 'status');
  expect(elsewhere).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('elsewhere') });
});

// Guarantee: a mistyped license key is caught before anything is asked; the status needs no running stack.
test('license', async () => {
  expect(await run('license', 'status')).toMatchObject({ exitCode: 3 });
  const mistyped = await run('license', 'activate', 'CSTL-0000-0000-0000-0001');
  expect(mistyped).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/\S/) });
  const { stdout } = await run('license', 'status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ state: 'unlicensed', code: 'LICENSE_REQUIRED' });
});
