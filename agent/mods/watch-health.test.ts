import { expect, test } from 'vitest';
import type { ProcessReport } from '#contracts/agent-tasks.ts';
import type { CommandResult } from '#contracts/games.ts';
import { modsOf } from '#games/game-mods.ts';
import { gameOf } from '#games/games.ts';
import { sinceBootMs } from '../power/process/process-identity.ts';
import { createGameLines } from './game-lines.ts';
import { startAndWatch } from './watch-health.ts';

const running: ProcessReport = {
  ...{ state: 'running', wanted: 'running', detail: null, pid: 1, upMs: 1, crashes: 0 },
  ...{ nextStartInMs: null, lastCrash: null },
};
const answerOf = (outcome: CommandResult['outcome']): CommandResult => ({
  ...{ outcome, sent: true, reply: '', truncated: false, durationMs: 1 },
});

/** @param asked says what the console answers, and may change what is reported */
const watched = (
  asked: (report: {
    now: ProcessReport;
    line(text: string, ageMs?: number): void;
  }) => CommandResult['outcome'],
  watch = { readySeconds: 10, watchSeconds: 0 },
) => {
  const lines = createGameLines();
  const report = { now: running, line: lines.add };
  return startAndWatch({
    power: {
      report: () => report.now,
      act: async () => ({ outcome: 'done', detail: null, value: null }),
    },
    console: { obstacle: async () => null, run: async () => answerOf(asked(report)) },
    ...{ game: gameOf('minecraft'), mods: modsOf('minecraft'), lines, watch, task: 't', pollMs: 5 },
    maskLine: (line) => line.replaceAll('hunter2', '***'),
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

// Guarantee: a line after which the game does not come up ends the watch; the reason holds no secrets, and no line of the run before.
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

// Guarantee: a crash is told with the game's last lines, a stop by people as such, also where the console has just answered.
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

// Guarantee: the countdown of a stop is no stop yet, and a game that people start again is waited for as at its start.
test('stopped with a countdown, and started again', async () => {
  let asked = 0;
  const health = await watched(
    (report) => {
      asked += 1;
      if (asked === 1) report.now = { ...running, state: 'stopping', wanted: 'stopped' };
      if (asked === 2) report.now = { ...running, state: 'starting' };
      if (asked > 2) report.now = running;
      return asked === 1 || asked > 3 ? 'answered' : 'timeout';
    },
    { readySeconds: 10, watchSeconds: 1 },
  );
  expect(health).toEqual({ is: 'proven', notes: [] });
});
