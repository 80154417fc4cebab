import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';
import { endLaunched, startTestPower } from './testing/test-power.ts';

const gameFolder = async (name = 'power') => {
  const folder = await temporaryFolder(name);
  onTestFinished(async () => {
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  return folder.path;
};
const script = async (folder: string, lines: string): Promise<string> => {
  const path = join(folder, 'start.sh');
  await writeFile(path, `#!/bin/bash\n${lines}\n`);
  await chmod(path, 0o755);
  return './start.sh';
};

// Guarantee: a started game runs under its holder, is reported as running only while it does, and is gone with all its processes
// after a stop; a stop is not a crash.
test('start and stop', async () => {
  const folder = await gameFolder();
  const command = await script(folder, 'echo ready; sleep 1000 & sleep 1000; echo never');
  await using it = await startTestPower({ folder, command: [command] });
  await eventually(() => expect(it.power.report().state).toBe('stopped'));
  expect(await it.act('start')).toEqual({ outcome: 'done', detail: null, value: null });
  const { state, pid, wanted } = it.power.report();
  expect({ state, wanted }).toEqual({ state: 'running', wanted: 'running' });
  expect(await it.act('start')).toMatchObject({ outcome: 'done', detail: 'The game was running.' });
  expect(it.power.report().pid).toBe(pid);
  expect(await it.act('stop')).toMatchObject({ outcome: 'done' });
  expect(it.power.report()).toMatchObject({
    state: 'stopped',
    wanted: 'stopped',
    pid: null,
    lastCrash: null,
  });
  expect(isAlive(pid ?? 0)).toBe(false);
});

// Guarantee: the end of the agent ends no game; the next agent finds the same process, and starts a wanted game that has ended in
// between, which counts as a crash.
test('found again', async () => {
  const folder = await gameFolder();
  const command = await script(folder, 'echo ready; exec sleep 1000');
  let pid = 0;
  {
    await using it = await startTestPower({ folder, command: [command] });
    await it.act('start');
    pid = it.power.report().pid ?? 0;
  }
  expect(isAlive(pid)).toBe(true);
  {
    await using it = await startTestPower({ folder, command: [command] });
    await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', pid, crashes: 0 }));
  }
  process.kill(pid, 'SIGKILL');
  await using it = await startTestPower({ folder, command: [command] });
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', crashes: 1 }));
  expect(it.power.report().pid).not.toBe(pid);
  expect(it.power.report().lastCrash).toMatchObject({ signal: 'SIGKILL', lines: ['ready'] });
  await it.act('kill');
  expect(it.power.report()).toMatchObject({ state: 'stopped', wanted: 'stopped' });
});

// Guarantee: a running game whose record was lost is wanted, and its end is a crash like that of any other start.
test('a lost record', async () => {
  const folder = await gameFolder();
  const command = await script(folder, 'echo ready; exec sleep 1000');
  let pid = 0;
  {
    await using it = await startTestPower({ folder, command: [command] });
    await it.act('start');
    pid = it.power.report().pid ?? 0;
  }
  await rm(join(folder, 'power', 'power.json'));
  await using it = await startTestPower({ folder, command: [command] });
  await eventually(() => expect(it.power.report()).toMatchObject({ pid, wanted: 'running' }));
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(it.power.report().lastCrash).toMatchObject({ signal: 'SIGKILL' }));
  expect(it.power.report()).toMatchObject({ wanted: 'running', crashes: 1 });
  await it.act('kill');
});

// Guarantee: a game that someone kills is not said to be stopping, which would be an act of this agent or of its manager.
test('killed by hand', async () => {
  const folder = await gameFolder();
  const command = await script(folder, 'echo ready; exec sleep 1000');
  await using it = await startTestPower({ folder, command: [command] });
  await it.act('start');
  const states: string[] = [];
  it.power.onChange(() => states.push(it.power.report().state));
  process.kill(it.power.report().pid ?? 0, 'SIGKILL');
  await eventually(() => expect(it.power.report().lastCrash).toMatchObject({ signal: 'SIGKILL' }));
  expect(states).not.toContain('stopping');
  await it.act('kill');
});

// Guarantee: a command that ends immediately is a crash with its exit code, and its last lines only in the report; it is retried
// until it is a crash loop, in which nothing is started until a person does.
test('a command that ends at once', async () => {
  const folder = await gameFolder();
  const command = await script(folder, 'echo start >> starts; echo "no such map" >&2; exit 3');
  await using it = await startTestPower({ folder, command: [command], timing: { settleMs: 3000 } });
  const { outcome, detail } = await it.act('start');
  expect(outcome).toBe('failed');
  expect(detail).toMatch(/exit code 3/);
  expect(detail).not.toContain('no such map');
  await eventually(
    () => expect(it.power.report()).toMatchObject({ state: 'crash-looping', crashes: 5 }),
    90_000,
  );
  expect(it.power.report().lastCrash).toMatchObject({ exitCode: 3, signal: null, lines: ['no such map'] });
  expect((await readFile(join(folder, 'starts'), 'utf8')).trim().split('\n').length).toBe(5);
});

// Guarantee: a command that puts the game into the background is followed there, and the stop ends what it left.
test('a command that daemonises', async () => {
  const folder = await gameFolder();
  const command = await script(folder, 'setsid sleep 1000 > out.log 2>&1 < /dev/null &\nexit 0');
  await using it = await startTestPower({ folder, command: [command] });
  expect(await it.act('start')).toMatchObject({ outcome: 'done' });
  await eventually(() =>
    expect(it.power.report()).toMatchObject({
      state: 'running',
      detail: expect.stringContaining('background'),
    }),
  );
  const pid = it.power.report().pid ?? 0;
  expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).toContain('sleep');
  await it.act('stop');
  expect(isAlive(pid)).toBe(false);
});

// Guarantee: the game is not ended because its start script works for long before it puts the game into the background, or exits
// with a failure afterwards; what a crashed game leaves is asked to exit before it is killed.
test.each([
  ['late', 'sleep 11\nsetsid sleep 1000 > out.log 2>&1 < /dev/null &\nexit 0'],
  [
    'with a failure',
    `setsid ${process.execPath} -e "require('node:net').createServer().listen(0)" > out.log 2>&1 < /dev/null &\nsleep 1; exit 3`,
  ],
])('into the background %s', { timeout: 60_000 }, async (_, lines) => {
  const folder = await gameFolder();
  const command = await script(folder, lines);
  await using it = await startTestPower({ folder, command: [command] });
  await it.act('start');
  await eventually(
    () =>
      expect(it.power.report()).toMatchObject({
        state: 'running',
        crashes: 0,
        detail: expect.stringContaining('background'),
      }),
    30_000,
  );
  expect(isAlive(it.power.report().pid ?? 0)).toBe(true);
  expect(await it.act('stop')).toMatchObject({ outcome: 'done' });
});

test('what a crashed game leaves', async () => {
  const folder = await gameFolder();
  const rest = `(trap 'echo saved > saved; exit' TERM; while :; do sleep 0.1; done) &`;
  const command = await script(folder, `${rest}\nsleep 0.5; kill -9 $$`);
  await using it = await startTestPower({ folder, command: [command] });
  await it.act('start');
  await eventually(async () => expect(await readFile(join(folder, 'saved'), 'utf8')).toBe('saved\n'), 20_000);
  await it.act('kill');
});

// Guarantee: a command that ends immediately without an error, and leaves nothing that can be followed, is reported with its remedy.
test('a command that leaves its console', async () => {
  const folder = await gameFolder();
  const command = await script(folder, 'exit 0');
  await using it = await startTestPower({ folder, command: [command], timing: { settleMs: 3000 } });
  expect(await it.act('start')).toMatchObject({
    outcome: 'failed',
    detail: expect.stringMatching(/exit code 0.*foreground/),
  });
  await it.act('stop');
});

// Guarantee: folders with spaces and letters of any language work, even as the agent's own; one that cannot be written is reported.
test('folders', async () => {
  const outer = await gameFolder('Größe von 遊戲');
  const folder = join(outer, 'Servidor de João – 方舟');
  await mkdir(folder);
  onTestFinished(() => endLaunched(folder));
  const command = await script(folder, 'pwd; exec sleep 1000');
  await using it = await startTestPower({ folder, command: [command] });
  expect(await it.act('start')).toMatchObject({ outcome: 'done' });
  await it.act('kill');
  await using wrong = await startTestPower({
    folder: await gameFolder(),
    gameFolder: '/nowhere at all',
    command: ['x'],
  });
  expect(await wrong.act('start')).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('/nowhere at all does not exist'),
  });
});
