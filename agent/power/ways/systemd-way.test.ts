import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openSystemdWay, readUnit } from './systemd-way.ts';

/** As `systemctl show` of systemd 252 prints properties: unordered, empty ones without a value. */
const shown = (changes: Record<string, string>) =>
  Object.entries({
    Result: 'success',
    ExecMainStartTimestampMonotonic: '0',
    ExecMainExitTimestampMonotonic: '0',
    ExecMainCode: '0',
    ExecMainStatus: '0',
    MainPID: '0',
    LoadState: 'loaded',
    ActiveState: 'inactive',
    SubState: 'dead',
    InvocationID: '',
    ...changes,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
const ran = { ExecMainStartTimestampMonotonic: '5000000', ExecMainExitTimestampMonotonic: '65000000' };

// Guarantee: systemd's description of the unit is read correctly; anything unproven is unknown.
test.each([
  [
    'running',
    { ActiveState: 'active', SubState: 'running', MainPID: String(process.pid) },
    { is: 'running', pid: process.pid },
  ],
  [
    'a pid that is gone',
    { ActiveState: 'active', SubState: 'running', MainPID: '4194399' },
    { is: 'changing' },
  ],
  ['coming up', { ActiveState: 'activating', SubState: 'start-pre' }, { is: 'changing', to: 'running' }],
  [
    'waiting for its own restart',
    { ActiveState: 'activating', SubState: 'auto-restart' },
    { is: 'changing', to: 'running' },
  ],
  [
    'going down',
    { ActiveState: 'deactivating', SubState: 'stop-sigterm' },
    { is: 'changing', to: 'stopped' },
  ],
  ['never started', {}, { is: 'absent' }],
  [
    'stopped in order',
    { ...ran, ExecMainCode: '1' },
    { is: 'ended', wasStopped: true, ranMs: 60_000, exit: { code: 0, signal: null } },
  ],
  [
    'failed',
    {
      ...ran,
      ActiveState: 'failed',
      SubState: 'failed',
      Result: 'exit-code',
      ExecMainCode: '1',
      ExecMainStatus: '3',
    },
    { is: 'ended', wasStopped: false, exit: { code: 3, signal: null } },
  ],
  [
    'killed',
    {
      ...ran,
      ActiveState: 'failed',
      SubState: 'failed',
      Result: 'signal',
      ExecMainCode: '2',
      ExecMainStatus: '9',
    },
    { is: 'ended', exit: { code: null, signal: 'SIGKILL' } },
  ],
  [
    'out of memory',
    { ...ran, ActiveState: 'failed', Result: 'oom-kill', ExecMainCode: '2', ExecMainStatus: '9' },
    { is: 'ended', wasStopped: false },
  ],
  ['no such unit', { LoadState: 'not-found' }, { is: 'unknown' }],
  ['active without a process', { ActiveState: 'active', SubState: 'exited' }, { is: 'unknown' }],
  ['nothing', { ActiveState: '' }, { is: 'unknown' }],
])('%s', (_, changes, expected) => {
  expect(readUnit('game.service', shown(changes), null)).toMatchObject(expected);
});

// Guarantee: the unit's state from its previous run does not count as the end of the start just ordered: while its job waits, the
// unit is coming up, and once the job is gone without a run, it was not started.
test.each([
  ['the job waits', { ...ran, ActiveState: 'failed', Job: '4711' }, { is: 'changing', to: 'running' }],
  ['a first start waits', { Job: '4711' }, { is: 'changing', to: 'running' }],
  [
    'a dependency failed',
    { ...ran, Result: 'success' },
    { is: 'ended', wasStopped: false, exit: { code: null }, detail: expect.stringContaining('not started') },
  ],
  [
    'it ran and failed',
    {
      ActiveState: 'failed',
      ExecMainStartTimestampMonotonic: '90000000',
      ExecMainExitTimestampMonotonic: '91000000',
      ExecMainCode: '1',
      ExecMainStatus: '3',
      Job: '0',
    },
    { is: 'ended', exit: { code: 3 }, ranMs: 1000 },
  ],
])('after a start: %s', (_, changes, expected) => {
  expect(readUnit('game.service', shown(changes), 80_000)).toMatchObject(expected);
});

const run = promisify(execFile);

/** Replaces systemctl: there is no systemd where tests run. */
const standIn = async (folder: string, lines: string) => {
  const path = join(folder, 'systemctl');
  await writeFile(path, `#!/bin/sh\nprintf '%s\\n' "$*" >> ${folder}/asked\n${lines}\n`);
  await chmod(path, 0o755);
  return async (args: readonly string[]) => (await run(path, [...args])).stdout;
};

// Guarantee: only this unit is ever named, after `--`, and refusals are reported with their remedy.
test('orders', async () => {
  await using folder = await temporaryFolder('systemd');
  const way = openSystemdWay('game.service', await standIn(folder.path, ''));
  expect(await way.start('launch')).toBe(null);
  expect(await way.stop()).toBe(null);
  expect(await way.kill()).toBe(null);
  expect((await readFile(join(folder.path, 'asked'), 'utf8')).trim().split('\n')).toEqual([
    'start --no-block -- game.service',
    'stop --no-block -- game.service',
    'stop --no-block -- game.service',
    'kill --signal=SIGKILL -- game.service',
  ]);
  const denied = `echo "Failed to start game.service: Access denied" >&2; exit 4`;
  const refused = openSystemdWay('game.service', await standIn(folder.path, denied));
  expect(await refused.start('launch')).toEqual({
    detail: expect.stringContaining('castellan-agent install'),
    program: null,
  });
  const unbooted = 'echo "System has not been booted with systemd as init system (PID 1)." >&2; exit 1';
  const none = openSystemdWay('game.service', await standIn(folder.path, unbooted));
  expect(await none.look()).toMatchObject({
    is: 'unknown',
    detail: expect.stringContaining('not been booted'),
  });
});

/** A unit whose program is this file, as `systemctl show` prints it after a start that failed with this code of systemd's own. */
const failedUnit = (path: string, status: number, changes: Record<string, string> = {}) =>
  shown({
    ...ran,
    ActiveState: 'failed',
    SubState: 'failed',
    ExecMainCode: '1',
    ExecMainStatus: String(status),
    Result: 'exit-code',
    ExecStart: `{ path=${path} ; argv[]=${path} -log a ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }`,
    WorkingDirectory: '/',
    ...changes,
  });
const wayOf = (printed: () => string) => openSystemdWay('game.service', async () => printed());
const ended = async (way: ReturnType<typeof wayOf>) => {
  const seen = await way.look();
  if (seen.is !== 'ended') throw new Error(`the unit is ${seen.is}`);
  return seen;
};

// Guarantee: a unit whose program systemd could not run is known by systemd's exit code, with the reason that its file shows, and
// counts as repaired when the file does; any other exit code is the program's own.
test('a unit whose program is not there', async () => {
  await using folder = await temporaryFolder('unit');
  const path = join(folder.path, 'the game');
  let printed = failedUnit(path, 203);
  const way = wayOf(() => printed);
  const known = await way.explain(await ended(way));
  expect(known).toEqual({ code: 'program-missing', values: [path] });
  expect(await way.check()).toEqual(known);
  expect(await way.inspect(known)).toEqual(known);
  // The unit's own mounts may bring it.
  expect(await way.inspect(null)).toBeNull();
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, 0o755);
  expect(await way.inspect(known)).toBeNull();
  expect(await way.explain(await ended(way))).toEqual({ code: 'unit-program', values: ['game.service'] });
  printed = failedUnit(path, 1);
  expect(await way.explain(await ended(way))).toBeNull();
  printed = failedUnit(join(folder.path, 'gone'), 127);
  expect(await way.explain(await ended(way))).toMatchObject({ code: 'program-missing' });
  printed = failedUnit(join(folder.path, 'gone'), 203, {
    ExecStartPre: '{ path=/usr/bin/steamcmd ; argv[]=x }',
  });
  await way.look();
  expect(await way.check()).toBeNull();
  printed = failedUnit(join(folder.path, 'gone'), 203, { RootDirectory: '/srv/root' });
  expect(await way.explain(await ended(way))).toMatchObject({ code: 'unit-program' });
});

// Guarantee: a unit that systemd restarts again and again for want of its program is shown with the reason.
test('a unit that restarts by itself without its program', async () => {
  const again = { ActiveState: 'activating', SubState: 'auto-restart' };
  const way = wayOf(() => failedUnit('/nowhere/game', 203, again));
  expect(await way.look()).toEqual({
    is: 'changing',
    to: 'running',
    program: { code: 'program-missing', values: ['/nowhere/game'] },
  });
  const crashing = wayOf(() => failedUnit('/nowhere/game', 1, again));
  expect(await crashing.look()).toEqual({ is: 'changing', to: 'running', program: null });
});
