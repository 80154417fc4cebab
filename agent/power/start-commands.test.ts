import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { killsEverywhere } from '#harness/kill-count.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { isAlive } from '#runtime/live-process.ts';
import { endLaunched, startTestPower, type TestPowerOptions } from './testing/test-power.ts';

/** Each process of the game writes its pid into `pids`. */
const started = async (lines: string, options: Partial<TestPowerOptions> = {}) => {
  const folder = await temporaryFolder('command');
  const path = join(folder.path, 'start.sh');
  await writeFile(path, `#!/bin/bash\n${lines}\n`);
  await chmod(path, 0o755);
  const it = await startTestPower({ folder: folder.path, command: ['./start.sh'], ...options });
  onTestFinished(async () => {
    await it[Symbol.asyncDispose]();
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  const pids = async () =>
    (await readFile(join(folder.path, 'pids'), 'utf8').catch(() => ''))
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(Number);
  return { ...it, pids };
};
const inBackground = expect.stringContaining('background');

// Guarantee: however a start command turns into the game, that game is reported as running, no second one is started, and a stop
// ends every process of it.
test.each([
  { name: 'stays in front', lines: 'echo $$ >> pids; exec sleep 1000', detail: null, processes: 1 },
  {
    name: 'becomes another program under another name',
    lines: 'echo $$ >> pids; exec -a "game server (main) 1" sleep 1000',
    detail: null,
    processes: 1,
  },
  {
    name: 'forks and ends; the child has the console',
    lines: '(echo $BASHPID >> pids; exec sleep 1000) &\nexit 0',
    detail: inBackground,
    processes: 1,
  },
  {
    name: 'daemonises: two forks, a session of its own, no stream left',
    lines:
      "(setsid bash -c '(echo $BASHPID >> pids; exec sleep 1000) & exit 0' > /dev/null 2>&1 < /dev/null &)\nexit 0",
    detail: inBackground,
    processes: 1,
  },
  {
    name: 'starts helpers in sessions of their own',
    lines:
      'for i in 1 2; do setsid bash -c "echo \\$\\$ >> pids; exec sleep 1000" & done\necho $$ >> pids; exec sleep 1000',
    detail: null,
    processes: 3,
  },
  {
    name: 'ignores the signal to end, as its child does',
    lines:
      "trap '' TERM\n(echo $BASHPID >> pids; while :; do sleep 0.1; done) &\necho $$ >> pids; while :; do sleep 0.1; done",
    detail: null,
    processes: 2,
    killed: true,
  },
  {
    name: 'closes its own streams',
    lines: 'exec < /dev/null > /dev/null 2>&1; echo $$ >> pids; exec sleep 1000',
    detail: null,
    processes: 1,
  },
])('a command that $name', { timeout: 60_000 }, async ({ lines, detail, processes, killed = false }) => {
  const it = await started(lines);
  expect(await it.act('start')).toMatchObject({ outcome: 'done' });
  await eventually(async () => {
    expect(await it.pids()).toHaveLength(processes);
    expect(it.power.report()).toMatchObject({ state: 'running', crashes: 0, detail });
  });
  const pids = await it.pids();
  expect(pids.every(isAlive)).toBe(true);
  expect(await it.act('stop')).toMatchObject({
    outcome: 'done',
    detail: killed ? expect.stringContaining('killed') : expect.anything(),
  });
  expect(pids.filter(isAlive)).toEqual([]);
  expect(it.power.report()).toMatchObject({ state: 'stopped', lastCrash: null });
});

// Guarantee: the end of the game is noticed and reported with its last lines, however many of its children still hold its console;
// they are ended.
const ends = [
  { name: 'a signal', end: 'kill -SEGV $$', exit: { exitCode: null, signal: 'SIGSEGV' } },
  { name: 'an exit code', end: 'exit 3', exit: { exitCode: 3, signal: null } },
];
test.each(killsEverywhere ? ends : ends.slice(0, 1))(
  'children that hold the console of a game that ended by $name',
  { timeout: 60_000, tags: 'kills' },
  async ({ end, exit }) => {
    const it = await started(
      `sleep 1000 & echo $! >> pids\n(trap '' HUP; exec sleep 1000) & echo $! >> pids\necho out of memory; ${end}`,
    );
    expect(await it.act('start')).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('The game ended'),
    });
    expect(it.power.report().lastCrash).toMatchObject({ ...exit, lines: ['out of memory'] });
    await it.act('kill');
    expect((await it.pids()).filter(isAlive)).toEqual([]);
  },
);
