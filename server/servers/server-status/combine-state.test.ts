import { expect, test } from 'vitest';
import type { ProcessReport, ProcessState } from '#contracts/servers/agent-tasks.ts';
import type { GameServerStatus } from '#contracts/servers/game-servers.ts';
import { type CombinedFacts, combineState, consolePatienceMs } from './combine-state.ts';

const nowMs = 1_800_000_000_000;
const told = (
  state: ProcessState,
  {
    upMs = null,
    ageMs = 0,
    lostAtMs = null,
    nextStartInMs = null,
    program,
  }: {
    upMs?: number | null;
    ageMs?: number;
    lostAtMs?: number | null;
    nextStartInMs?: number | null;
    program?: ProcessReport['program'];
  } = {},
) => ({ report: { state, upMs, nextStartInMs, program }, atMs: nowMs - ageMs, lostAtMs });
const shown = (
  console: GameServerStatus['state'],
  process: CombinedFacts['process'],
  hasConsole = true,
  answeredAtMs: number | null = nowMs,
) => combineState({ nowMs, console, answeredAtMs, hasConsole, process });
const consoles = ['online', 'starting', 'offline', 'unknown'] as const;
const long = consolePatienceMs + 1;

// Guarantee: when no agent reports a process, or cannot at the moment, the status is what the console proves.
test.each(consoles)('without a process: %s', (console) => {
  for (const process of [null, told('unmanaged'), told('unknown')])
    expect(shown(console, process)).toBe(console);
});

// Guarantee: a running process is not called online before its console responds, and a console that stays silent is reported.
test('a process that runs', () => {
  expect(shown('online', told('running', { upMs: long }))).toBe('online');
  expect(shown('offline', told('running', { upMs: 1000 }))).toBe('starting');
  expect(shown('unknown', told('running', { upMs: 1000 }))).toBe('starting');
  for (const console of ['offline', 'unknown', 'starting'] as const)
    expect(shown(console, told('running', { upMs: long }))).toBe('console-silent');
  // The report is old, so the process is older by that time.
  expect(shown('offline', told('running', { upMs: 1000, ageMs: long }))).toBe('console-silent');
  expect(shown('unknown', told('running', { upMs: long }), false)).toBe('running');
});

// Guarantee: an answer that is older than the process came from an earlier one: after a restart the server is not online before
// its new process has answered.
test('an answer from before the start', () => {
  const answered = (agoMs: number, process: CombinedFacts['process']) =>
    shown('online', process, true, nowMs - agoMs);
  expect(answered(3000, told('running', { upMs: 1000 }))).toBe('starting');
  expect(answered(3000, told('running', { upMs: 1000, ageMs: 1500 }))).toBe('starting');
  expect(answered(500, told('running', { upMs: 1000 }))).toBe('online');
  expect(answered(2000, told('running', { upMs: 1000, ageMs: 1500 }))).toBe('online');
  expect(answered(3000, told('starting', { ageMs: 2000 }))).toBe('starting');
  expect(answered(1000, told('starting', { ageMs: 2000 }))).toBe('online');
  // A manager that does not know when its process started.
  expect(answered(3000, told('running'))).toBe('online');
});

// Guarantee: a stop is a stop, and a crash a crash, whatever the console's last beat said.
test('a process that is down', () => {
  for (const console of consoles) {
    expect(shown(console, told('stopped'))).toBe('stopped');
    expect(shown(console, told('stopping'))).toBe('stopping');
    expect(shown(console, told('backing-off'))).toBe('backing-off');
    expect(shown(console, told('crash-looping'))).toBe('crash-looping');
  }
  expect(shown('offline', told('starting'))).toBe('starting');
  expect(shown('online', told('starting'))).toBe('online');
});

// Guarantee: a game that responds long after its process was reported down is running: someone started it by other means.
test('a game that the agent does not hold', () => {
  for (const state of ['stopped', 'crash-looping', 'backing-off'] as const) {
    expect(shown('online', told(state, { ageMs: long }))).toBe('online');
    expect(shown('offline', told(state, { ageMs: long }))).toBe(state);
  }
  const later = told('backing-off', { ageMs: long, nextStartInMs: long + 1000 });
  expect(shown('online', later)).toBe('backing-off');
  // An hour's countdown plus the world's last save do not mean another game.
  expect(shown('online', told('stopping', { ageMs: 3_600_000 + long }))).toBe('stopping');
  expect(shown('online', told('stopping', { ageMs: 3 * 3_600_000 }))).toBe('online');
});

// Guarantee: nothing is claimed about a process whose agent is away; a console that responds counts as proof.
test('the agent is away', () => {
  for (const state of [
    'running',
    'stopped',
    'crash-looping',
    'backing-off',
    'stopping',
    'starting',
  ] as const) {
    const process = told(state, { ageMs: long, lostAtMs: nowMs - long });
    expect(shown('offline', process)).toBe('lost');
    expect(shown('unknown', process)).toBe('lost');
    expect(shown('online', process)).toBe('online');
  }
});

// Guarantee: a clock that was set back makes no process younger than its report.
test('a clock that was set back', () => {
  expect(shown('offline', told('running', { upMs: long, ageMs: -3_600_000 }))).toBe('console-silent');
});

// Guarantee: a game whose program cannot be run is shown as such, except while its console answers or its agent is away.
test('a process without its program', () => {
  const program = { code: 'program-missing', values: ['/srv/game'] } as const;
  const fault = { program: { ...program, values: [...program.values] } };
  for (const console of consoles) expect(shown(console, told('stopped', fault))).toBe('program-fault');
  expect(shown('online', told('stopped', { ...fault, ageMs: long }))).toBe('online');
  expect(shown('offline', told('starting', fault))).toBe('program-fault');
  expect(shown('online', told('starting', fault))).toBe('online');
  expect(shown('offline', told('stopped', { ...fault, lostAtMs: 1 }))).toBe('lost');
});
