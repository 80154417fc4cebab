import { expect, test } from 'vitest';
import type { KeptBackup } from '#runtime/backup/backup-manifest.ts';
import { newestFullMs, nextBackupMs } from './backup-times.ts';

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

// Guarantee: a process that began while the clock was years ahead takes backups once it is right; a clock that is set after a backup
// of this process makes it neither older nor newer.
test('a clock that is set', () => {
  const nowMs = at(11, 5);
  const ahead = new Date(2096, 0, 1, 12).getTime();
  expect(nextBackupMs({ ...clock, nowMs, startedMs: ahead })).toBe(nowMs);

  const taken = (name: string, ms: number, kind: KeptBackup['kind'] = 'nightly'): KeptBackup => ({
    ...{ name, kind, takenAt: new Date(ms).toISOString(), reason: '', cause: { kind: 'nightly' } },
    ...{ bytes: 1, version: null, isListed: true },
  });
  const backups = [taken('far', ahead), taken('own', at(11, 3, 31)), taken('older', at(10, 3, 31))];
  const own = { name: 'own', agoMs: 7 * hour };
  expect(newestFullMs(backups, at(11, 12))).toBe(at(11, 3, 31));
  expect(newestFullMs(backups, at(11, 3), own)).toBe(at(10, 3, 31));
  expect(newestFullMs([taken('own', at(11, 3), 'database')], at(11, 12), own)).toBeNull();
  for (const setMs of [at(19, 12), at(11, 13), ahead - hour]) {
    const newestMs = newestFullMs(backups, setMs, own);
    expect(newestMs).toBe(setMs - 7 * hour);
    expect(nextBackupMs({ ...clock, nowMs: setMs, newestMs })).toBeGreaterThan(setMs);
  }
  // A virtual machine was paused for a week: its own time stood still. The backup is as old as the clock says, as far as that is proven.
  const resumedMs = at(19, 12);
  for (const [unprovenMs, newestMs] of [
    [0, at(11, 3, 31)],
    [hour, at(11, 4, 31)],
    [30 * 24 * hour, resumedMs - 7 * hour],
  ] as const)
    expect(newestFullMs(backups, resumedMs, { ...own, unprovenMs })).toBe(newestMs);
  // Set back since, it is never younger than it is.
  expect(newestFullMs(backups, at(11, 4), { ...own, unprovenMs: 0 })).toBe(at(10, 21));
});
