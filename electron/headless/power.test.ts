// @module-tag slow

import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stackControl, stackStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { isAlive } from '#harness/script.ts';
import { stackEnvPath } from '#runtime/stack-config.ts';
import { controlAddress } from '../control/control-address.ts';
import { callSupervisor } from '../control/control-client.ts';
import { type HeadlessHome, headlessHome, pidsOf } from '../testing/headless-home.ts';
import { writePrograms } from '../testing/stand-ins.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
});
afterEach(() => home[Symbol.asyncDispose]());

/** A bot that takes a while to stop, and says that it was told to. */
const slowBot = `
process.on('message', ({ type, id }) => {
  if (type === 'ping') return process.send({ type: 'pong', id });
  console.log('asked to stop');
  setTimeout(() => process.exit(), 3000);
});
process.on('disconnect', () => process.exit());`;

const componentStates = async () => (await home.status()).components.map(({ state }) => state);

// Guarantee: one command starts the stack, others see, restart and stop it, and nothing is left.
test('start, status, restart, stop', async () => {
  await home.writeEnv();
  const child = home.launch();
  const said = child.stdout ? text(child.stdout) : '';
  const first = await home.whenRuns();
  expect(first).toMatchObject({ home: home.path, pid: child.pid, heldBy: 'the command line' });
  expect(first.apiUrl).toBe(`http://127.0.0.1:${home.apiPort}`);

  const second = await home.run('start');
  expect(second.exitCode).toBe(3);
  expect(second.stderr).toMatch(
    new RegExp(`already run by the command line \\(pid ${child.pid}, since .*castellan status`),
  );

  expect((await home.run('restart', 'api')).stdout).toMatch(/^api +running/);
  const restarted = await home.status();
  expect(restarted.components.map(({ pid }, index) => pid === first.components[index]?.pid)).toEqual([
    true,
    false,
    true,
  ]);
  const asJson = await home.run('status', '--json');
  expect(stackStatus.parse(JSON.parse(asJson.stdout))).toEqual(await home.status());
  expect((await home.run('status')).stdout).toMatch(
    /Castellan is running\n +postgres +running \(pid \d+, port \d+\)/,
  );

  expect(await home.run('stop')).toEqual({ exitCode: 0, stdout: 'Stopped.\n', stderr: '' });
  expect(pidsOf(restarted).filter(isAlive)).toEqual([]);
  expect(await home.run('status')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('castellan start'),
  });
  expect(await said).toMatch(
    /postgres +running.*api +running.*bot +running.*Castellan is running.*postgres +stopped/s,
  );
  expect(await readdir(home.path)).not.toContain('supervisor.json');
  const log = await readFile(join(home.path, 'logs/supervisor.log'), 'utf8');
  for (const line of log.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ component: 'supervisor' });
});

// Guarantee: a caller of `stop` that goes away changes nothing: the stack stops and the data folder is free. Calls that
// arrive during the stop start nothing again.
test('a stop whose caller goes away', { tags: 'night' }, async () => {
  await writePrograms(home.programs, { bot: slowBot });
  await home.writeEnv();
  const child = home.launch();
  const before = await home.whenRuns();
  const { token } = JSON.parse(await readFile(join(home.path, 'supervisor.json'), 'utf8'));
  const { method, path } = stackControl.stop;
  const asked = request({
    socketPath: await controlAddress(home.path),
    method,
    path,
    headers: { Authorization: `Bearer ${token}` },
  });
  asked.on('error', () => undefined);
  asked.end();
  await eventually(async () => expect(await componentStates()).toEqual(['running', 'running', 'stopping']));
  asked.destroy();
  for (const component of ['api', undefined] as const)
    await expect(callSupervisor(home.path, stackControl.restart, { component })).rejects.toThrow(
      /is stopping/,
    );
  await eventually(() => expect(child.exitCode).toBe(0), 20_000);
  expect(pidsOf(before).filter(isAlive)).toEqual([]);
});

// Guarantee: a changed setting that components share reaches all of them, whichever one is restarted, and a component that
// still runs on the old one does not count as hung.
test('a restart after a change of what is shared', { tags: 'night' }, async () => {
  await writePrograms(home.programs, { bot: slowBot });
  await home.writeEnv();
  home.launch();
  const before = await home.whenRuns();
  const port = await freePort();
  const settings = await readFile(stackEnvPath(home.path), 'utf8');
  const changed = settings
    .replace(/^API_PORT=.*$/m, `API_PORT=${port}`)
    .replace('a-password-of-the-api', 'another-password-of-it');
  await writeFile(stackEnvPath(home.path), changed);
  expect(await home.run('restart', 'bot')).toMatchObject({ exitCode: 0 });
  const after = await home.status();
  expect(after).toMatchObject({ state: 'running', apiUrl: `http://127.0.0.1:${port}` });
  expect(after.components[1]).toMatchObject({ port, restarts: 0 });
  expect(pidsOf(before).filter(isAlive)).toEqual([]);
  expect(await readFile(join(home.path, 'logs/supervisor.log'), 'utf8')).not.toContain('unhealthy');
  const connectionString = /^DATABASE_URL=(.*)\?/m.exec(changed)?.[1];
  const api = new Client({ connectionString });
  await api.connect();
  await api.end();
});

// Guarantee: it is not said that no stack is running while its Postgres lives.
test('a Postgres that has outlived its supervisor', async () => {
  await home.writeEnv();
  const child = home.launch();
  const stack = await home.whenRuns();
  const children = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
    .trim()
    .split(' ');
  const lines = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8')));
  const guardian = Number(children[lines.findIndex((line) => line.includes('guardian.mjs'))]);
  process.kill(guardian, 'SIGSTOP');
  try {
    child.kill('SIGKILL');
    await once(child, 'exit');
    const postgres = stack.components[0]?.pid;
    for (const command of ['status', 'stop'])
      expect(await home.run(command)).toMatchObject({
        exitCode: 3,
        stderr: expect.stringContaining(`its Postgres (process ${postgres}) still runs`),
      });
  } finally {
    process.kill(guardian, 'SIGCONT');
  }
  await eventually(() => expect(pidsOf(stack).filter(isAlive)).toEqual([]), 20_000);
  expect((await home.run('status')).stderr).toContain('No stack is running');
});
