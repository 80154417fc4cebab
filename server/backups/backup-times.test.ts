import { expect, test } from 'vitest';
import { nextBackupMs } from './backup-times.ts';

const minute = 60_000;
const hour = 60 * minute;
/** By the machine's clock, in any time zone. */
const at = (day: number, hours: number, minutes = 0) => new Date(2026, 4, day, hours, minutes).getTime();
const clock = { hour: 3, startedMs: at(1, 0), newestMs: null, failedMs: null };

// Guarantee: a backup runs each night; a machine that was off at night catches up soon after its start, not
// immediately; a failure is retried in an hour, not every minute, and a clock that was set back delays nothing.
test('when a backup is due', () => {
  const night = at(10, 3, 30);
  expect(nextBackupMs({ ...clock, hour: 22, nowMs: at(10, 12), newestMs: night })).toBe(at(10, 22, 30));
  expect(nextBackupMs({ ...clock, hour: 0, nowMs: at(10, 12), newestMs: night })).toBe(at(11, 0, 30));
  expect(nextBackupMs({ ...clock, nowMs: at(10, 12), newestMs: night + minute })).toBe(at(11, 3, 30));
  expect(nextBackupMs({ ...clock, nowMs: at(11, 3, 31), newestMs: night + minute })).toBe(at(11, 3, 30));

  const switchedOn = at(11, 9);
  expect(nextBackupMs({ ...clock, startedMs: switchedOn, nowMs: at(11, 9, 1), newestMs: night })).toBe(
    switchedOn + 10 * minute,
  );
  expect(nextBackupMs({ ...clock, startedMs: switchedOn, nowMs: at(11, 9, 1) })).toBe(
    switchedOn + 10 * minute,
  );

  const failedMs = at(11, 3, 31);
  expect(nextBackupMs({ ...clock, nowMs: at(11, 4), newestMs: night, failedMs })).toBe(failedMs + hour);
  expect(nextBackupMs({ ...clock, nowMs: at(11, 5), newestMs: at(11, 4), failedMs })).toBe(at(12, 3, 30));

  const future = at(20, 3, 30);
  expect(nextBackupMs({ ...clock, nowMs: at(11, 5), newestMs: future, failedMs: future })).toBe(
    at(11, 3, 30),
  );
});
