import { expect, test } from 'vitest';
import type { CrashReport, ProcessReport } from '#contracts/servers/agent-tasks.ts';
import { type KnownProcess, processEvents } from './process-events.ts';
import { stoppedReport } from './testing/power-agent.ts';

const startMs = 1_800_000_000_000;
const report = (changes: Partial<ProcessReport>): ProcessReport => ({ ...stoppedReport, ...changes });
const crash = (ageMs: number, changes: Partial<CrashReport> = {}): CrashReport => ({
  ageMs,
  exitCode: null,
  signal: 'SIGKILL',
  lines: ['the end'],
  ...changes,
});

/** What reports lead to, one after the other, each at this time after the first. */
const told = (reports: readonly (readonly [afterMs: number, changes: Partial<ProcessReport>])[]) => {
  let known: KnownProcess | null = null;
  return reports.map(([afterMs, changes]) => {
    const next = processEvents(known, report(changes), startMs + afterMs);
    known = next.known;
    return next.events.map(({ kind }) => kind.replace('server.', ''));
  });
};
const running = { state: 'running', wanted: 'running', pid: 10 } as const;

// Guarantee: a start and a stop are reported once each, and a requested stop is no crash.
test('start and stop', () => {
  expect(
    told([
      [0, {}],
      [1, { state: 'starting', wanted: 'running', pid: 10 }],
      [2, running],
      [3, { ...running, upMs: 1000 }],
      [4, { ...running, state: 'stopping', wanted: 'stopped' }],
      [5, {}],
      [6, {}],
    ]),
  ).toEqual([[], [], ['started'], [], [], ['stopped'], []]);
});

// Guarantee: a restart between two reports is reported as a stop and a start, judging by the other process or its start; an
// unknown state is no stop.
test('what lies between two reports', () => {
  expect(
    told([
      [0, running],
      [1, { ...running, pid: 11 }],
      [2, { state: 'unknown', wanted: 'running' }],
      [3, { ...running, pid: 11 }],
      [4, { state: 'unknown', wanted: 'stopped' }],
      [5, {}],
    ]),
  ).toEqual([[], ['stopped', 'started'], [], [], [], ['stopped']]);
  expect(
    told([
      [0, running],
      [1, { ...running, state: 'stopping' }],
      [2, { state: 'starting', wanted: 'running' }],
      [3, { ...running, pid: 11 }],
    ]),
  ).toEqual([[], [], ['stopped'], ['started']]);
});

// Guarantee: a crash is reported once, with its time, however often reports mention it and however the frames are delayed;
// another one that looks the same is reported, too.
test('crashes', () => {
  const backing = (crashes: number, ageMs: number) =>
    ({ state: 'backing-off', wanted: 'running', crashes, lastCrash: crash(ageMs) }) as const;
  expect(
    told([
      [0, running],
      [1000, backing(1, 0)],
      [9000, backing(1, 3000)],
      [10_000, { ...running, pid: 11, crashes: 1, lastCrash: crash(9000) }],
      [11_000, backing(2, 0)],
      [12_000, { state: 'crash-looping', wanted: 'running', crashes: 3, lastCrash: crash(0) }],
      [13_000, { state: 'crash-looping', wanted: 'running', crashes: 3, lastCrash: crash(1000) }],
      // It ran stably for long, and ends in the same way.
      [900_000, { ...running, pid: 12, lastCrash: crash(888_000) }],
      [990_000, backing(1, 0)],
    ]),
  ).toEqual([
    [],
    ['crashed'],
    [],
    ['started'],
    ['crashed'],
    ['crashed', 'crash-looping'],
    [],
    ['started'],
    ['crashed'],
  ]);
});

// Guarantee: a crash that happened while no one could hear of it is reported with the first report after it, at its own time.
test('a crash while the API was away', () => {
  const before: KnownProcess = { report: report(running), atMs: startMs, crashAtMs: null };
  const after = report({
    ...running,
    pid: 11,
    crashes: 1,
    lastCrash: crash(600_000, { exitCode: 3, signal: null }),
  });
  const { events } = processEvents(before, after, startMs + 3_600_000);
  expect(events).toEqual([
    {
      kind: 'server.crashed',
      atMs: startMs + 3_000_000,
      payload: { exitCode: 3, signal: null, crashes: 1 },
    },
    { kind: 'server.started', atMs: startMs + 3_600_000 },
  ]);
});

// Guarantee: the first report of a server yields only what is wrong now.
test('the first report', () => {
  const first = (changes: Partial<ProcessReport>) => told([[0, changes]])[0];
  expect(first(running)).toEqual([]);
  expect(first({ ...running, lastCrash: crash(5000) })).toEqual([]);
  expect(first({})).toEqual([]);
  expect(first({ state: 'crash-looping', wanted: 'running', crashes: 5, lastCrash: crash(0) })).toEqual([
    'crashed',
    'crash-looping',
  ]);
});

// Guarantee: an event contains nothing that the game wrote: events are read by people who may not read consoles.
test('what the game wrote', () => {
  const before: KnownProcess = { report: report(running), atMs: startMs, crashAtMs: null };
  const lines = ['Otter whispers code-4711'];
  const after = report({
    state: 'backing-off',
    wanted: 'running',
    crashes: 1,
    lastCrash: crash(0, { lines }),
  });
  const { events } = processEvents(before, after, startMs);
  expect(events.map(({ kind }) => kind)).toEqual(['server.crashed']);
  expect(JSON.stringify(events)).not.toContain('Otter');
});

// Guarantee: a crash that is reported again after the clock was set is the same one.
test('a clock that jumps', () => {
  const backing = (ageMs: number) =>
    ({ state: 'backing-off', wanted: 'running', crashes: 1, lastCrash: crash(ageMs) }) as const;
  for (const jumpMs of [600_000, -600_000, 366 * 86_400_000])
    expect(
      told([
        [0, running],
        [1000, backing(0)],
        [6000 + jumpMs, backing(5000)],
      ]),
    ).toEqual([[], ['crashed'], []]);
});

// Guarantee: a program that cannot be run is reported once, with its reason, and again only for another reason or after the game
// has run or was stopped; it is no crash, and a start that cannot succeed is no stop.
test('a program that is not there', () => {
  const missing = { code: 'program-missing', values: ['/srv/game'] } as const;
  const fault = (values: readonly string[] = missing.values): Partial<ProcessReport> => ({
    wanted: 'running',
    program: { code: missing.code, values: [...values] },
  });
  expect(
    told([
      [0, fault()],
      [1, { ...fault(), state: 'unknown', program: undefined }],
      [2, fault()],
      [3, { state: 'starting', wanted: 'running' }],
      [4, fault()],
      [5, fault(['/srv/other'])],
      [6, running],
      [7, { ...running, state: 'stopping' }],
      [8, { state: 'starting', wanted: 'running' }],
      [9, fault()],
      [10, {}],
      [11, fault()],
      [12, { state: 'starting', ...fault() }],
    ]),
  ).toEqual([
    ['program-fault'],
    [],
    [],
    [],
    [],
    ['program-fault'],
    ['started'],
    [],
    ['stopped'],
    ['program-fault'],
    [],
    ['program-fault'],
    [],
  ]);
  expect(
    told([
      [0, running],
      [1, fault()],
    ]),
  ).toEqual([[], ['program-fault', 'stopped']]);
  const crashed = { crashes: 1, lastCrash: crash(1) };
  expect(
    told([
      [0, running],
      [2, { ...crashed, state: 'backing-off', wanted: 'running' }],
      [3, { ...crashed, lastCrash: crash(2), ...fault() }],
    ]),
  ).toEqual([[], ['crashed'], ['program-fault']]);
});
