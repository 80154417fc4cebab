import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ComponentName, ComponentStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { isAlive } from '#harness/script.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createRedactor } from '#runtime/redact.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { createComponentLog } from '../logs/component-log.ts';
import type { Component } from '../supervisor/component.ts';
import type { SupervisionLimits } from '../supervisor/supervised-component.ts';
import { createSupervisor, type Supervisor, supervisionLimits } from '../supervisor/supervisor.ts';
import { wellBehaved } from '../testing/stand-ins.ts';
import { childHost } from './child-host.ts';

let folder: TemporaryFolder;
let supervisor: Supervisor | null;
let changes: ComponentStatus[];

beforeEach(async () => {
  folder = await temporaryFolder('child');
  supervisor = null;
  changes = [];
});
afterEach(async () => {
  await supervisor?.stop('now');
  await folder[Symbol.asyncDispose]();
});

const quick = {
  restart: { ...supervisionLimits.restart, firstDelayMs: 20 },
  probe: { ...supervisionLimits.probe, intervalMs: 50, timeoutMs: 200, startDeadlineMs: 20_000 },
};
/** Each start of a program adds its name to this file. */
const journal = () => join(folder.path, 'journal');
const readJournal = async () => (await readFile(journal(), 'utf8')).trim().split('\n');
const nobody = {
  pid: () => null,
  watch: () => undefined,
  forget: () => undefined,
  [Symbol.dispose]: () => undefined,
};
const nowhere = {
  write: () => undefined,
  ready: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

const component = async (name: ComponentName, source: string, stopDeadlineMs = 5000) => {
  const entry = join(folder.path, `${name}.mjs`);
  const note = (what: string) => `appendFileSync(${JSON.stringify(journal())}, '${what} ${name}\\n');`;
  await writeFile(
    entry,
    `import { appendFileSync } from 'node:fs';
     ${note('start')}
     process.on('exit', () => { ${note('end')} });
     ${source}`,
  );
  const host = childHost({
    name,
    node: process.execPath,
    entry,
    env: systemEnv,
    guardian: nobody,
    log: createComponentLog(name, nowhere, createRedactor()),
    stopDeadlineMs,
  });
  return { name, host, port: () => null };
};

const superviseWithin = (limits: SupervisionLimits, ...components: Component[]): Supervisor => {
  supervisor = createSupervisor({ components, limits, onChange: (status) => changes.push(status) });
  return supervisor;
};
const supervise = (...components: Component[]) => superviseWithin(quick, ...components);

const first = (): ComponentStatus => {
  const [status] = supervisor?.components() ?? [];
  if (!status) throw new Error('no component');
  return status;
};
const pidOf = (status: ComponentStatus): number => {
  if (status.pid === null) throw new Error(`${status.name} has no process`);
  return status.pid;
};

// Guarantee: components start in order, each when the one before answers, and stop in the reverse order.
test('the order of start and stop', async () => {
  const stack = supervise(
    await component('postgres', wellBehaved),
    await component('api', wellBehaved),
    await component('bot', wellBehaved),
  );
  const started = stack.start();
  expect(stack.start()).toBe(started);
  await started;
  expect(stack.state()).toBe('running');
  await stack.stop();
  expect(stack.state()).toBe('stopped');
  expect(await readJournal()).toEqual([
    'start postgres',
    'start api',
    'start bot',
    'end bot',
    'end api',
    'end postgres',
  ]);
  const states = changes.filter(({ name }) => name === 'api').map(({ state }) => state);
  expect([...new Set(states)]).toEqual(['starting', 'running', 'stopping', 'stopped']);
});

// Guarantee: a process that dies is restarted alone, without a person, and the reason is kept.
test('a killed process comes back', async () => {
  const stack = supervise(await component('api', wellBehaved), await component('bot', wellBehaved));
  await stack.start();
  const [api, bot] = stack.components().map(pidOf);
  process.kill(api ?? 0, 'SIGKILL');
  await eventually(() => {
    expect(first()).toMatchObject({ state: 'running', restarts: 1 });
    expect(first().pid).not.toBe(api);
  });
  expect(stack.components()[1]?.pid).toBe(bot);
  expect(changes).toContainEqual(expect.objectContaining({ state: 'crashed', reason: 'killed by SIGKILL' }));
});

// Guarantee: a crash loop ends in `failed`, with the reason and the last lines; a later start begins afresh.
test('a crash loop is given up', async () => {
  const stack = supervise(
    await component('api', `console.error('first line'); console.error('out of luck'); process.exit(7);`),
  );
  await stack.start();
  expect(first()).toMatchObject({ state: 'failed', pid: null, restarts: 4 });
  expect(first().reason).toMatch(
    /crash loop: died 5 times within \d+ s, the last time: ended with exit code 7/,
  );
  expect(first().lastLines).toEqual(['first line', 'out of luck']);
  expect(stack.state()).toBe('failed');
  expect(await readJournal()).toHaveLength(10);

  await writeFile(join(folder.path, 'api.mjs'), wellBehaved);
  await stack.restart('api');
  expect(first()).toMatchObject({ state: 'running', lastLines: [] });
});

// Guarantee: a process that hangs at each start is given up, however long it may hang; only one that answers is stable.
test('a hang at every start is given up', async () => {
  const limits = {
    restart: { ...quick.restart, stableMs: 100 },
    probe: { ...quick.probe, timeoutMs: 50, startDeadlineMs: 400 },
  };
  const stack = superviseWithin(limits, await component('api', 'setInterval(() => undefined, 1000);'));
  await stack.start();
  expect(first()).toMatchObject({ state: 'failed', restarts: 4, reason: expect.stringMatching(/hung/) });
});

// Guarantee: a process that refuses its configuration is not started again.
test('exit code 78 fails at once', async () => {
  const stack = supervise(await component('api', `console.log('KEY: is missing'); process.exit(78);`));
  await stack.start();
  expect(first()).toMatchObject({
    state: 'failed',
    reason: 'refused to start: KEY: is missing',
    restarts: 0,
  });
});

const source = (path: string) => JSON.stringify(resolve(import.meta.dirname, '../..', path));

// Guarantee: a program of ours that refuses to start is shown with what is wrong, all of it, and not with the last line of its log.
test.each([
  [
    'a wrong .env',
    `ConfigError('/data/.env', [
      { variable: 'API_PORT', message: 'must be a port number' }, { variable: 'line 3', message: 'has no “=”' }])`,
    'refused to start: /data/.env has 2 wrong values: API_PORT: must be a port number; line 3: has no “=”',
  ],
  [
    'a missing file',
    `StartupError('The certificate cannot be read.')`,
    'ended with exit code 1: The certificate cannot be read.',
  ],
])('a refusal: %s', async (_what, error, reason) => {
  const { host } = await component(
    'api',
    `import { ConfigError } from ${source('runtime/env.ts')};
     import { createLog } from ${source('runtime/log.ts')};
     import { runProgram, StartupError } from ${source('runtime/program.ts')};
     const refuse = async () => { throw new ${error}; };
     await runProgram(refuse, { log: createLog({ component: 'api' }) });`,
  );
  const { ended } = await host.start(new AbortController().signal, () => undefined);
  expect(await ended).toMatchObject({ reason });
});

// Guarantee: a halted process is unhealthy, then ended and started again.
test('a hung process is replaced', async () => {
  const stack = supervise(await component('api', wellBehaved));
  await stack.start();
  const pid = pidOf(first());
  process.kill(pid, 'SIGSTOP');
  await eventually(() => expect(first().state).toBe('unhealthy'));
  await eventually(() => expect(first()).toMatchObject({ state: 'running', restarts: 1 }));
  expect(isAlive(pid)).toBe(false);
  expect(changes).toContainEqual(
    expect.objectContaining({ state: 'crashed', reason: expect.stringMatching(/hung/) }),
  );
});

// Guarantee: a busy event loop counts as hung, too; the mere existence of the process proves nothing.
test('a process in an endless loop is replaced', async () => {
  const busyOnce = `
    import { existsSync } from 'node:fs';
    if (!existsSync(${JSON.stringify(join(folder.path, 'was-busy'))}))
      setTimeout(() => {
        appendFileSync(${JSON.stringify(join(folder.path, 'was-busy'))}, '');
        const until = Date.now() + 60_000;
        while (Date.now() < until);
      }, 300);
    ${wellBehaved}`;
  const stack = supervise(await component('bot', busyOnce));
  await stack.start();
  await eventually(() => expect(first()).toMatchObject({ state: 'running', restarts: 1 }));
});

// Guarantee: a process that ignores the stop is killed after its deadline, and the stop ends.
test('a stop has a deadline', async () => {
  const deaf = `process.on('message', ({ type, id }) => type === 'ping' && process.send({ type: 'pong', id }));
    process.on('SIGTERM', () => undefined);`;
  const stack = supervise(await component('api', deaf, 200));
  await stack.start();
  const pid = pidOf(first());
  await stack.stop();
  expect(first()).toMatchObject({ state: 'stopped', pid: null });
  expect(isAlive(pid)).toBe(false);
});

// Guarantee: a person who does not want to wait for an orderly stop does not have to.
test('a stop can be hurried', async () => {
  const deaf = `process.on('message', ({ type, id }) => type === 'ping' && process.send({ type: 'pong', id }));`;
  const stack = supervise(await component('api', deaf, 600_000), await component('bot', deaf, 600_000));
  await stack.start();
  const stopped = stack.stop();
  await stack.stop('now');
  await stopped;
  expect(stack.state()).toBe('stopped');
});

// Guarantee: a stop in the middle of a start ends both, and nothing is left running.
test('a stop during a start', async () => {
  const mute = `setInterval(() => undefined, 1000); process.on('message', ({ type }) => type === 'stop' && process.exit());`;
  const stack = supervise(await component('postgres', mute), await component('api', wellBehaved));
  const started = stack.start();
  const pid = await eventually(() => pidOf(first()));
  const stopped = stack.stop();
  expect(stack.state()).toBe('stopping');
  await Promise.all([started, stopped]);
  expect(stack.components().map(({ state }) => state)).toEqual(['stopped', 'stopped']);
  expect(isAlive(pid)).toBe(false);
  expect((await readJournal()).filter((line) => line.endsWith('api'))).toEqual([]);
});

// Guarantee: a stop asked for during a restart wins.
test('a stop during a restart', async () => {
  const stack = supervise(await component('api', wellBehaved), await component('bot', wellBehaved));
  await stack.start();
  const restarting = stack.restart();
  await stack.stop();
  await restarting;
  expect(stack.state()).toBe('stopped');
});
