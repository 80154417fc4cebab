// @module-tag slow

import { once } from 'node:events';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StackStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { isAlive } from '#harness/script.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { readStartRefusal } from '../control/start-refusal.ts';
import { type HeadlessHome, headlessHome, pidsOf } from '../testing/headless-home.ts';
import { healthy, licenseProblem, standInApi, writePrograms } from '../testing/stand-ins.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
});
afterEach(() => home[Symbol.asyncDispose]());

// Guarantee: what a component prints cannot control the terminal in which the stack was started.
test('the last lines of a failed component', async () => {
  await writePrograms(home.programs, { api: "console.log('\\x1b[31mred'); process.exit(78);" });
  await home.writeEnv();
  const child = home.launch();
  const complaints = child.stderr ? text(child.stderr) : '';
  await home.whenRuns('failed');
  child.kill('SIGTERM');
  const said = await complaints;
  expect(said).toContain('    \\x1b[31mred');
  expect(said).not.toContain('\x1b');
});

// Guarantee: a first start without a window shows the link for the first owner, once the API offers it.
test('the link of the first owner', async () => {
  await writePrograms(home.programs, {
    api: `
      import { writeFileSync } from 'node:fs';
      setTimeout(() => writeFileSync(process.env.CASTELLAN_HOME + '/setup-link.txt', 'http://127.0.0.1/#/setup?token=csu_1\\n'), 500);
      ${standInApi(healthy)}`,
  });
  await home.writeEnv();
  const child = home.launch();
  let said = '';
  child.stdout?.on('data', (chunk) => {
    said += chunk;
  });
  await eventually(() => expect(said).toContain('\n  http://127.0.0.1/#/setup?token=csu_1\n'), 20_000);
});

// Guarantee: after a kill -9 of the supervisor nothing of the stack lives 5 s later, and the next start recovers.
test('a killed supervisor leaves no orphans', async () => {
  await home.writeEnv();
  const child = home.launch();
  const before = await home.whenRuns();
  const killedAt = performance.now();
  child.kill('SIGKILL');
  await eventually(() => expect(pidsOf(before).filter(isAlive)).toEqual([]), 5000);
  expect(performance.now() - killedAt).toBeLessThan(5000);
  home.launch();
  expect(pidsOf(await home.whenRuns())).toHaveLength(3);
});

// Guarantee: a start right after a kill succeeds, though the children of the dead supervisor still hold the ports.
test('a start at once after a kill', { tags: 'night' }, async () => {
  await home.writeEnv();
  home.launch().kill('SIGKILL');
  const child = home.launch();
  await home.whenRuns();
  child.kill('SIGKILL');
  await once(child, 'exit');
  home.launch();
  await home.whenRuns();
});

// Guarantee: an API that refuses because there is no license is running and left alone; the stack is called unlicensed.
test('an unlicensed stack', async () => {
  await writePrograms(home.programs, { api: standInApi(licenseProblem) });
  await home.writeEnv();
  home.launch();
  const first = await home.whenRuns('unlicensed');
  const asked = (stack: StackStatus) => Number(/asked (\d+)/.exec(stack.components[1]?.reason ?? '')?.[1]);
  await eventually(async () => expect(asked(await home.status())).toBeGreaterThan(asked(first) + 1));
  expect((await home.status()).components).toMatchObject(
    first.components.map(({ pid }) => ({ pid, restarts: 0, state: 'running' })),
  );
});

// Guarantee: a taken port is reported with the program that has it and a free one, while the rest runs; restart reads `.env`
// again.
test('a taken port', async () => {
  await home.writeEnv();
  const server = createServer().listen(home.apiPort, '127.0.0.1');
  await once(server, 'listening');
  const child = home.launch();
  const complaints = child.stderr ? text(child.stderr) : '';
  const failed = await home.whenRuns('failed');
  const [, offered] =
    /is in use by .+ \(pid (?:\d+)\); (\d+) is free: set API_PORT=\1$/.exec(
      failed.components[1]?.reason ?? '',
    ) ?? [];
  expect(failed.components[1]?.reason).toContain(`port ${home.apiPort} is in use by`);
  expect(failed.components[1]?.reason).toContain(`(pid ${process.pid})`);
  await eventually(async () =>
    expect((await home.status()).components.map(({ state }) => state)).toEqual([
      'running',
      'failed',
      'running',
    ]),
  );

  await appendFile(stackEnvPath(home.path), `API_PORT=${offered}\nEVENT_LOG_RETENTION_DAYS=1000\n`);
  expect(await home.run('restart', 'api')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('EVENT_LOG_RETENTION_DAYS: must be at most 730'),
  });
  await appendFile(stackEnvPath(home.path), 'EVENT_LOG_RETENTION_DAYS=30\n');
  expect(await home.run('restart', 'api')).toMatchObject({ exitCode: 0 });
  expect(await home.status()).toMatchObject({ state: 'running', apiUrl: `http://127.0.0.1:${offered}` });
  server.close();
  child.kill('SIGTERM');
  expect(await complaints).toContain('is free: set API_PORT=');
});

// Guarantee: a port that was taken at the start is named in the status, and used as soon as it is free, without a person.
test('a port that becomes free', { tags: 'night' }, async () => {
  await home.writeEnv();
  const server = createServer().listen(home.apiPort, '127.0.0.1');
  await once(server, 'listening');
  home.launch();
  const [postgres, api] = (await home.whenRuns('failed')).components;
  expect([postgres?.blockedPort, api?.blockedPort]).toEqual([undefined, home.apiPort]);
  server.close();
  const [, healed] = (await home.whenRuns()).components;
  expect(healed).toMatchObject({ state: 'running', reason: null, restarts: 0 });
  expect(healed).not.toHaveProperty('blockedPort');
});

// Guarantee: of two stacks that wait for the same port, one gets it, and the other one keeps waiting.
test('two supervisors race for a port', { tags: 'night' }, async () => {
  await using other = await headlessHome();
  const server = createServer().listen(home.apiPort, '127.0.0.1');
  await once(server, 'listening');
  await home.writeEnv();
  await other.writeEnv([`API_PORT=${home.apiPort}`]);
  const children = [home.launch(), other.launch()];
  await Promise.all([home.whenRuns('failed'), other.whenRuns('failed')]);
  server.close();
  const states = async () => [(await home.status()).state, (await other.status()).state];
  await eventually(async () => expect((await states()).sort()).toEqual(['failed', 'running']), 40_000);
  const winner = (await states())[0] === 'running' ? 0 : 1;
  children[winner]?.kill('SIGTERM');
  await (winner === 0 ? other : home).whenRuns();
});

// Guarantee: with the option a start takes the next free port instead of one that another program has, and writes it down.
test('castellan start --use-free-ports', async () => {
  await home.writeEnv();
  const server = createServer().listen(home.apiPort, '127.0.0.1');
  await once(server, 'listening');
  const child = home.launch('--use-free-ports');
  const said = child.stdout ? text(child.stdout) : '';
  const { apiUrl } = await home.whenRuns();
  expect(apiUrl).not.toContain(`:${home.apiPort}`);
  expect(await readFile(stackEnvPath(home.path), 'utf8')).toContain(`API_PORT=${new URL(apiUrl).port}`);
  server.close();
  child.kill('SIGTERM');
  expect(await said).toContain(`port ${home.apiPort} is in use`);
});

// Guarantee: a wrong configuration refuses the start, names every fault, and leaves the file alone; that is kept for the
// status.
test('a wrong .env', async () => {
  await home.writeEnv(['CONFIG_ENCRYPTION_KEY=abc', 'LICENSE_GRACE_PERIOD_DAYS=31']);
  const before = await readFile(stackEnvPath(home.path), 'utf8');
  const { exitCode, stderr } = await home.run('start');
  expect(exitCode).toBe(78);
  expect(stderr).toMatch(
    /2 wrong values.*CONFIG_ENCRYPTION_KEY: .*64 hex.*LICENSE_GRACE_PERIOD_DAYS: must be at most 30/s,
  );
  expect(await readFile(stackEnvPath(home.path), 'utf8')).toBe(before);
  expect(await readdir(home.path)).not.toContain('supervisor.json');
  expect(await readStartRefusal(home.path)).toMatchObject({
    heldBy: 'the command line',
    reason: expect.stringContaining('LICENSE_GRACE_PERIOD_DAYS: must be at most 30'),
  });
});

// Guarantee: a start on a full disk waits and says so, with and without settings to write, and comes back by itself when there is
// room; the status says that the disk is full in both cases.
test('a start on a full disk', { tags: ['mount', 'night'], timeout: 240_000 }, async () => {
  using disk = smallDisk(300);
  if (disk === null) throw new Error('no disk');
  // What runs on the disk ends before it.
  await using _home = home;
  home.path = join(disk.path, 'home');
  await home.writeEnv();
  await disk.fill();
  const first = home.launch();
  let complaints = '';
  first.stderr?.on('data', (chunk) => {
    complaints += chunk;
  });
  await eventually(() => expect(complaints).toContain('waiting until there is room'), 20_000);
  expect((await home.run('status')).stderr).toContain(`The disk of ${home.path} is full`);
  await disk.clear();
  await home.whenRuns();
  first.kill('SIGTERM');
  await once(first, 'exit');

  await disk.fill();
  home.launch();
  await eventually(
    async () => expect((await home.run('status')).stderr).toContain('runs, but its disk is full'),
    20_000,
  );
  await disk.clear();
  const [postgres] = (await home.whenRuns()).components;
  expect(postgres).toMatchObject({ state: 'running', restarts: 0 });
});

// Guarantee: a data folder that cannot be written is refused in plain words.
test('an unwritable home', async () => {
  const file = join(home.folder, 'file');
  await writeFile(file, '');
  home.path = join(file, 'home');
  const { exitCode, stderr } = await home.run('start');
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`${home.path} cannot be the data folder. ${file} is a file, not a folder.\n`);
});
