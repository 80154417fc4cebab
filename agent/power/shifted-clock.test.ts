import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openShiftedClock } from '#harness/shifted-clock.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { endLaunched } from './testing/test-power.ts';

const program = resolve(import.meta.dirname, 'testing/shifted-clock.ts');

// Guarantee: a clock that is set a day ahead or back while a crashed game waits, or during a countdown, neither shortens nor
// extends the wait, and expires no crash; the holder's times are unaffected too.
test('a clock that jumps', { tags: 'faketime', timeout: 120_000 }, async () => {
  const folder = await temporaryFolder('clock');
  onTestFinished(async () => {
    await endLaunched(folder.path);
    await folder[Symbol.asyncDispose]();
  });
  await using clock = await openShiftedClock();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, folder.path, clock.env.FAKETIME_TIMESTAMP_FILE],
    { cwd: folder.path, env: { ...process.env, ...clock.env } },
  );
  const { backOffMs, countdownSeconds, jumps, countdowns } = JSON.parse(stdout);
  expect(jumps.map((one: { jumpedDays: number }) => one.jumpedDays)).toEqual([1, -1, -1, 1]);
  for (const [index, jump] of jumps.entries()) {
    expect(jump).toMatchObject({ state: 'backing-off', starts: 1, crashes: index + 1 });
    expect(jump.nextStartInMs).toBeLessThanOrEqual(jump.nextMs);
    expect(jump.nextStartInMs).toBeGreaterThan(0);
    expect(jump.waitedMs).toBeGreaterThanOrEqual(jump.nextStartInMs);
    expect(jump.ageMs).toBeLessThan(3_600_000);
  }
  expect(jumps[0].nextMs).toBeLessThanOrEqual(backOffMs);
  for (const countdown of countdowns) {
    expect(countdown).toMatchObject({ outcome: 'done', report: { state: 'stopped', wanted: 'stopped' } });
    expect(countdown.tookMs).toBeGreaterThanOrEqual(countdownSeconds * 1000);
    expect(countdown.tookMs).toBeLessThan(3_600_000);
    expect(countdown.upMs).toBeLessThan(3_600_000);
  }
});
