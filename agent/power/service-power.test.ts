import { expect, onTestFinished, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import type { PowerConsole } from './bring-down.ts';
import { crashLimits } from './crash-verdict.ts';
import type { PowerRequest } from './current-action.ts';
import { openPower } from './power.ts';
import { sinceBootMs } from './process/process-identity.ts';
import { noConsole, quickTiming } from './testing/test-power.ts';
import type { Sighting, StartWay } from './ways/start-way.ts';
import { openSystemdWay } from './ways/systemd-way.ts';
import { openWindowsServiceWay } from './ways/windows-service-way.ts';

/** A unit as systemctl shows it; its process is this one. */
const fakeUnit = () => {
  const unit = { isUp: false, startedMs: 0, orders: [] as string[], looks: 0 };
  const way = () =>
    openSystemdWay('game.service', async ([verb = '']) => {
      if (verb === 'show') {
        unit.looks += 1;
        return [
          'LoadState=loaded',
          `ActiveState=${unit.isUp ? 'active' : 'inactive'}`,
          `SubState=${unit.isUp ? 'running' : 'dead'}`,
          `MainPID=${unit.isUp ? process.pid : 0}`,
          'ExecMainCode=1',
          'ExecMainStatus=0',
          `ExecMainStartTimestampMonotonic=${unit.startedMs * 1000}`,
          `ExecMainExitTimestampMonotonic=${unit.isUp ? 0 : unit.startedMs * 1000 + 1000}`,
          'Result=success',
          'InvocationID=one',
          'Job=0',
        ].join('\n');
      }
      unit.orders.push(verb);
      if (verb === 'start') unit.startedMs = sinceBootMs() + 1;
      unit.isUp = verb === 'start';
      return '';
    });
  return { unit, way };
};

const powerFolder = async () => {
  const folder = await temporaryFolder('power');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return folder.path;
};
const open = async (folder: string, way: StartWay, more: Partial<Parameters<typeof openPower>[0]> = {}) => {
  const power = await openPower({
    powerFolder: folder,
    way,
    game: gameOf('minecraft'),
    console: noConsole,
    whyNotStart: () => Promise.resolve(null),
    lastLines: () => Promise.resolve([]),
    log: createLog({ component: 'agent', level: 'silent' }),
    ...more,
    timing: { ...quickTiming, ...more.timing },
  });
  const ask = (
    action: PowerRequest['action'],
    { task = null, seconds = 0, signal = new AbortController().signal }: AskOptions = {},
  ) =>
    power.act({
      action,
      task,
      signal,
      countdown: seconds > 0 ? { seconds, text: '{time}' } : null,
      onStep: () => undefined,
    });
  return { power, ask, [Symbol.asyncDispose]: () => power[Symbol.asyncDispose]() };
};
interface AskOptions {
  readonly task?: string | null;
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

// Guarantee: a unit that stops during a shutdown of the machine is wanted after it, and is not started in between; one that stays
// stopped follows its owner's wish.
test('a stop by the system', async () => {
  const folder = await powerFolder();
  const { unit, way } = fakeUnit();
  {
    await using it = await open(folder, way(), { timing: { ownStopMs: 3_600_000 } });
    expect(await it.ask('start')).toMatchObject({ outcome: 'done' });
    unit.isUp = false;
    const { looks } = unit;
    await eventually(() => expect(unit.looks).toBeGreaterThan(looks + 5));
    expect(it.power.report()).toMatchObject({ state: 'stopped', wanted: 'running', crashes: 0 });
    expect(unit.orders).toEqual(['start']);
  }
  await using it = await open(folder, way(), { timing: { ownStopMs: 0 } });
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'stopped', wanted: 'stopped' }));
  expect(unit.orders).toEqual(['start']);
});

// Guarantee: a restart is refused before the game is down if the game could not be started again.
test('a restart that could not start', async () => {
  const { unit, way } = fakeUnit();
  let why: string | null = null;
  await using it = await open(await powerFolder(), way(), { whyNotStart: () => Promise.resolve(why) });
  await it.ask('start');
  why = 'A restore of its saves was cut off.';
  expect(await it.ask('restart')).toMatchObject({ outcome: 'refused', detail: why });
  expect(unit.isUp).toBe(true);
  expect(it.power.report()).toMatchObject({ state: 'running', wanted: 'running' });
});

// Guarantee: when two tasks request the same stop, cancelling one does not affect the other.
test('two stops, one cancelled', async () => {
  const { unit, way } = fakeUnit();
  const console: PowerConsole = { ...noConsole, obstacle: () => Promise.resolve(null) };
  await using it = await open(await powerFolder(), way(), { console });
  await it.ask('start');
  const cancelling = new AbortController();
  const first = it.ask('stop', { task: 'one', seconds: 60, signal: cancelling.signal });
  await eventually(() => expect(it.power.report().detail).toContain('60 s'));
  const second = it.ask('stop', { task: 'two' });
  cancelling.abort();
  expect(await first).toMatchObject({ outcome: 'cancelled' });
  expect(await second).toMatchObject({ outcome: 'done' });
  expect(unit.isUp).toBe(false);
});

// Guarantee: a Windows service, whose running time is unknown, also has its crashes cleared when it has run for long enough.
test('the crashes of a service', async () => {
  let state = '4  RUNNING';
  let exit = 0;
  const way = openWindowsServiceWay('Game', async (_program, [verb]) => {
    if (verb === 'start') [state, exit] = ['4  RUNNING', 0];
    return [
      '',
      'SERVICE_NAME: Game',
      '        TYPE               : 10  WIN32_OWN_PROCESS',
      `        STATE              : ${state}`,
      `        WIN32_EXIT_CODE    : ${exit}  (0x0)`,
      '        SERVICE_EXIT_CODE  : 0  (0x0)',
      '        CHECKPOINT         : 0x0',
      '        WAIT_HINT          : 0x0',
      `        PID                : ${state.startsWith('4') ? 4711 : 0}`,
      '        FLAGS              :',
    ].join('\r\n');
  });
  const crashes = { ...crashLimits, backOff: { firstMs: 50, mostMs: 200, jitter: 0.25 }, stableMs: 1500 };
  await using it = await open(await powerFolder(), way, { timing: { crashes } });
  await it.ask('start');
  [state, exit] = ['1  STOPPED', 1067];
  await eventually(() => expect(it.power.report()).toMatchObject({ crashes: 1 }));
  await eventually(() => expect(it.power.report()).toMatchObject({ state: 'running', crashes: 0 }));
});

// Guarantee: a start by this agent itself is visible in a fresh look, although nothing reports it yet.
test('a look behind a start', async () => {
  const folder = await powerFolder();
  let seen: Sighting = { is: 'absent' };
  let gate = Promise.resolve();
  const way: StartWay = {
    method: 'systemd',
    takesShutdownCommand: false,
    write: null,
    look: async () => seen,
    async start(launch) {
      await gate;
      seen = { is: 'running', launch, pid: 1, upMs: 1, detail: null };
      return null;
    },
    inspect: async () => null,
    explain: async () => null,
    stop: async () => null,
    kill: async () => null,
    onChange: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  let asked = 0;
  const whyNotStart = async () => {
    asked += 1;
    return null;
  };
  await using it = await open(folder, way, { whyNotStart });
  expect(await it.ask('start')).toMatchObject({ outcome: 'done' });
  const { runId, actionsBegun } = it.power;
  const first = runId();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  asked = 0;
  seen = {
    is: 'ended',
    launch: first,
    ranMs: 1,
    firstLine: null,
    wasStopped: false,
    detail: null,
    exit: { code: 1, signal: null },
  };
  await eventually(() => expect(asked).toBe(1));
  expect(it.power.report().state).toBe('stopped');
  const looked = it.power.lookNow();
  resolve();
  expect(await looked).toMatchObject({ state: 'running', crashes: 1 });
  expect(runId()).not.toBe(first);
  expect(actionsBegun()).toBe(1);
});

// Guarantee: a run's age grows while an action keeps the agent from looking, so that a run from before a change of files is not taken
// for a later one.
test('the age of a run during an action', async () => {
  let isRunning = false;
  const stopping = Promise.withResolvers<void>();
  const way: StartWay = {
    method: 'systemd',
    takesShutdownCommand: false,
    write: null,
    look: async () =>
      isRunning ? { is: 'running', launch: 'run', pid: 1, upMs: 1, detail: null } : { is: 'absent' },
    async start() {
      isRunning = true;
      return null;
    },
    inspect: async () => null,
    explain: async () => null,
    async stop() {
      await stopping.promise;
      isRunning = false;
      return null;
    },
    kill: async () => null,
    onChange: () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  await using it = await open(await powerFolder(), way);
  expect(await it.ask('start')).toMatchObject({ outcome: 'done' });
  const stopped = it.ask('stop');
  // Every look says 1 ms.
  await eventually(async () => expect((await it.power.lookNow()).upMs).toBeGreaterThan(500));
  stopping.resolve();
  await stopped;
});
