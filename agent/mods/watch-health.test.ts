import { expect, test } from 'vitest';
import type { ProcessReport, TaskResult } from '#contracts/servers/agent-tasks.ts';
import type { CommandResult } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import type { PowerRequest } from '../power/current-action.ts';
import { sinceBootMs } from '../power/process/process-identity.ts';
import { createGameLines } from './game-lines.ts';
import { startAndWatch } from './watch-health.ts';

const running: ProcessReport = {
  state: 'running',
  wanted: 'running',
  detail: null,
  pid: 1,
  upMs: 1,
  crashes: 0,
  nextStartInMs: null,
  lastCrash: null,
};
const answerOf = (outcome: CommandResult['outcome']): CommandResult => ({
  outcome,
  sent: true,
  reply: '',
  truncated: false,
  durationMs: 1,
});

interface Watched {
  now: ProcessReport;
  /** The result of a look now; by default the same. */
  looked?: ProcessReport;
  /** Names the run. */
  run: string;
  /** The number of actions that people have requested. */
  actions: number;
  line(text: string, ageMs?: number): void;
}

/**
 * @param asked returns the console's answer, and may change the report
 * @param acted returns the result of an action
 */
const watched = (
  asked: (report: Watched) => CommandResult['outcome'],
  watch = { readySeconds: 10, watchSeconds: 0 },
  {
    acted = () => 'done',
    isResumed = true,
    sinceMs = null,
    now = running,
    onStart = () => undefined,
    silentMs,
  }: {
    acted?: (report: Watched, action: PowerRequest['action']) => TaskResult['outcome'];
    isResumed?: boolean;
    sinceMs?: number | null;
    now?: ProcessReport;
    onStart?: (report: Watched) => void;
    silentMs?: number;
  } = {},
) => {
  const lines = createGameLines();
  const report: Watched = { now, run: 'one', actions: 0, line: lines.add };
  onStart(report);
  return startAndWatch({
    power: {
      report: () => report.now,
      async lookNow() {
        report.now = report.looked ?? report.now;
        return report.now;
      },
      runId: () => (['running', 'stopping'].includes(report.now.state) ? report.run : null),
      actionsBegun: () => report.actions,
      async act({ action }) {
        report.actions += 1;
        return { outcome: acted(report, action), detail: null, value: null };
      },
    },
    console: { obstacle: async () => null, run: async () => answerOf(asked(report)) },
    game: gameOf('minecraft'),
    mods: gameOf('minecraft').mods,
    lines,
    watch,
    task: 't',
    pollMs: 5,
    ...(silentMs === undefined ? {} : { silentMs }),
    maskLine: (line) => line.replaceAll('hunter2', '***'),
    isResumed,
    sinceMs,
    signal: new AbortController().signal,
    onStep: () => undefined,
  });
};

// Guarantee: a game counts as healthy only when its console answered and nothing happened to it up to the last question.
test('answers', async () => {
  let asked = 0;
  expect(await watched(() => (++asked > 3 ? 'answered' : 'timeout'))).toEqual({ is: 'proven', notes: [] });
  expect(asked).toBeGreaterThan(3);
});

// Guarantee: a watch also ends when the console answers but whether the game runs is no longer known.
test('whether it runs cannot be told', async () => {
  const health = await watched(
    (report) => {
      report.looked = { ...running, state: 'unknown', detail: 'The holder does not answer.' };
      return 'answered';
    },
    { readySeconds: 10, watchSeconds: 0 },
    { silentMs: 50 },
  );
  expect(health).toMatchObject({
    is: 'failed',
    why: 'Whether the game runs cannot be told: The holder does not answer.',
  });
});

// Guarantee: a line after which the game does not come up ends the watch; the reason contains no secrets, and no line of the previous run.
test('a fatal line', async () => {
  const health = await watched(({ line }) => {
    line('[12:00:00] [main/ERROR]: Incompatible mods found! before', sinceBootMs());
    line('[12:00:00] [main/INFO]: password hunter2');
    line('[12:00:00] [main/ERROR]: Incompatible mods found!');
    return 'timeout';
  });
  expect(health).toMatchObject({ is: 'failed', at: 'start', wasStopped: false });
  expect(health.is === 'failed' && health.lines).toEqual([
    '[12:00:00] [main/INFO]: password ***',
    '[12:00:00] [main/ERROR]: Incompatible mods found!',
  ]);
});

// Guarantee: a crash is reported with the game's last lines, and a stop by people as such, even when the console has just answered.
test('crashed and stopped', async () => {
  const crash = { ageMs: 1, exitCode: 1, signal: null, lines: ['Out of memory'] };
  expect(
    await watched((report) => {
      report.now = { ...running, state: 'backing-off', crashes: 1, lastCrash: crash };
      return 'answered';
    }),
  ).toMatchObject({ is: 'failed', at: 'watch', lines: ['Out of memory'] });
  expect(
    await watched((report) => {
      report.now = { ...running, state: 'stopped', wanted: 'stopped' };
      return 'answered';
    }),
  ).toMatchObject({ is: 'failed', wasStopped: true });
});

// Guarantee: a crash that has only just been seen is reported with its own lines, not with those of the previous crash; the message
// of a service manager follows the game's lines.
test('the lines of the right crash', async () => {
  const crash = { ageMs: 86_400_000, exitCode: 1, signal: null, lines: ['a day ago', 'Out of memory'] };
  const seen: ProcessReport = { ...running, state: 'backing-off', crashes: 1, lastCrash: crash };
  const health = await watched((report) => {
    report.line('java.lang.NoClassDefFoundError');
    report.now = seen;
    report.looked = {
      ...seen,
      lastCrash: { ...crash, ageMs: 1, lines: ['systemd calls game.service failed: exit-code.'] },
    };
    return 'answered';
  });
  expect(health).toMatchObject({
    is: 'failed',
    why: 'The game crashed with the new mods.',
    lines: ['java.lang.NoClassDefFoundError', 'systemd calls game.service failed: exit-code.'],
  });
});

// Guarantee: the countdown of a stop is not a stop yet, and a game that people start again is waited for as at its start.
test('stopped with a countdown, and started again', async () => {
  let asked = 0;
  const health = await watched(
    (report) => {
      asked += 1;
      if (asked === 1) report.now = { ...running, state: 'stopping', wanted: 'stopped' };
      if (asked === 1) report.actions += 1;
      if (asked === 2) report.now = { ...running, state: 'starting' };
      if (asked > 2) report.now = running;
      return asked === 1 || asked > 3 ? 'answered' : 'timeout';
    },
    { readySeconds: 10, watchSeconds: 1 },
  );
  expect(health).toEqual({ is: 'proven', notes: [] });
});

// Guarantee: a game that ends with the new mods and is restarted by its manager, or by its own script, is not healthy, however
// briefly it was away, and the watch ends.
test.each([
  [
    'another run',
    (report: Watched, asked: number) => {
      const again = () => {
        report.run = 'two';
      };
      if (asked === 1) setTimeout(again, 300);
      return 'answered' as const;
    },
  ],
  [
    'another run, seen at the last look',
    (report: Watched, asked: number) => {
      if (asked === 2) report.run = 'two';
      return 'answered' as const;
    },
  ],
  [
    'seen while it starts',
    (report: Watched) => {
      report.now = { ...running, state: 'starting' };
      return 'timeout' as const;
    },
  ],
  [
    'a script that goes on',
    (_: Watched, asked: number) => (asked === 2 ? ('connection refused' as const) : ('answered' as const)),
  ],
])('started again by itself: %s', async (_, asked) => {
  let count = 0;
  const health = await watched((report) => asked(report, ++count), { readySeconds: 10, watchSeconds: 1 });
  expect(health).toMatchObject({
    is: 'failed',
    why: 'The game ended with the new mods, and was started again by itself.',
    wasStopped: false,
  });
});

// Guarantee: a restart by people is not a crash; the new run has to pass the whole watch.
test('restarted by people between two questions', async () => {
  let asked = 0;
  let againMs = 0;
  const health = await watched(
    (report) => {
      asked += 1;
      if (asked === 2) {
        report.actions += 1;
        report.run = 'two';
        againMs = sinceBootMs();
      }
      return 'answered';
    },
    { readySeconds: 10, watchSeconds: 1 },
  );
  expect(health).toEqual({ is: 'proven', notes: [] });
  expect(sinceBootMs() - againMs).toBeGreaterThanOrEqual(1000);
});

// Guarantee: a game that has passed the watch is healthy, even during the countdown of a stop by people.
test('at the end of the watch, in a countdown', async () => {
  const health = await watched(
    (report) => {
      if (report.actions < 2) report.actions += 1;
      report.now = { ...running, state: 'stopping', wanted: 'stopped' };
      return 'answered';
    },
    { readySeconds: 10, watchSeconds: 1 },
  );
  expect(health).toEqual({ is: 'proven', notes: [] });
});

// Guarantee: a game that ends in order on its machine does not count as crashed before it is known whether its owner wants that.
test('stopped on its machine', async () => {
  const health = await watched(
    (report) => {
      report.now = { ...running, state: 'stopped' };
      setTimeout(() => {
        report.now = { ...running, state: 'stopped', wanted: 'stopped' };
      }, 300);
      return 'answered';
    },
    { readySeconds: 10, watchSeconds: 5 },
  );
  expect(health).toMatchObject({ is: 'failed', why: expect.stringContaining('stopped'), wasStopped: true });
});

// Guarantee: a game that ends before it has come up, in order or not, has not come up with the new mods.
test('ends in order before it answers', async () => {
  const health = await watched(
    (report) => {
      report.now = { ...running, state: 'stopped' };
      return 'connection refused';
    },
    { readySeconds: 3600, watchSeconds: 5 },
  );
  expect(health).toMatchObject({
    is: 'failed',
    at: 'start',
    why: 'The game ended with the new mods.',
    wasStopped: false,
  });
});

// Guarantee: a kill by people during the start counts as their stop, and a refused start does not.
test('the start is killed, or refused', async () => {
  const wanted = (now: ProcessReport['wanted']) => ({
    now: { ...running, state: 'stopped' as const, wanted: now },
  });
  expect(
    await watched(() => 'timeout', undefined, { ...wanted('running'), acted: () => 'cancelled' }),
  ).toMatchObject({ is: 'failed', at: 'start', wasStopped: true });
  expect(
    await watched(() => 'timeout', undefined, { ...wanted('stopped'), acted: () => 'refused' }),
  ).toMatchObject({ is: 'failed', at: 'start', wasStopped: false });
});

// Guarantee: a running action of people is waited for; their stop is not undone.
test('people act just before the start', async () => {
  const starts: string[] = [];
  const during = (then: ProcessReport) =>
    watched(() => 'answered', undefined, {
      now: { ...running, state: 'stopping' },
      acted(report, action) {
        starts.push(action);
        if (report.now.state === 'running') return 'done';
        setTimeout(() => {
          report.now = then;
        }, 30);
        return 'refused';
      },
    });
  expect(await during({ ...running, state: 'stopped', wanted: 'stopped' })).toMatchObject({
    wasStopped: true,
  });
  expect(starts).toEqual(['start']);
  expect(await during(running)).toEqual({ is: 'proven', notes: [] });
});

// Guarantee: a game that has been running since before the new set was in place is restarted, and so is one whose start time this
// agent does not know.
test('started by hand before the set was in place', async () => {
  const acts: string[] = [];
  const of = (upMs: number | null, isResumed = false) => {
    acts.length = 0;
    return watched(() => 'answered', undefined, {
      now: { ...running, upMs },
      sinceMs: sinceBootMs() - 5000,
      isResumed,
      acted(report, action) {
        acts.push(action);
        if (action === 'restart') report.now = { ...running, upMs: 1 };
        return 'done';
      },
    });
  };
  expect(await of(60_000)).toEqual({ is: 'proven', notes: [] });
  expect(acts).toEqual(['start', 'restart']);
  await of(null);
  expect(acts).toEqual(['start', 'restart']);
  await of(60_000, true);
  expect(acts).toEqual(['start', 'restart']);
  await of(1000);
  expect(acts).toEqual(['start']);
  await of(null, true);
  expect(acts).toEqual(['start']);
});

// Guarantee: a crash with the new mods counts even if no agent was running.
test('crashed before the watch is taken up again', async () => {
  const crash = { ageMs: 1, exitCode: 1, signal: null, lines: ['Out of memory'] };
  const now: ProcessReport = { ...running, state: 'backing-off', crashes: 1, lastCrash: crash };
  expect(await watched(() => 'answered', undefined, { now })).toMatchObject({
    is: 'failed',
    at: 'start',
    lines: ['Out of memory'],
    wasStopped: false,
  });
});

// Guarantee: the last lines of the previous run, if read late, do not count as the new run's.
test('lines of the run before', async () => {
  const health = await watched(() => 'answered', undefined, {
    isResumed: false,
    onStart: ({ line }) =>
      void setTimeout(() => line('[12:00:00] [main/ERROR]: Incompatible mods found!'), 300),
  });
  expect(health).toEqual({ is: 'proven', notes: [] });
});
