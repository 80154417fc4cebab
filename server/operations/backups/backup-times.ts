import type { KeptBackup } from '#runtime/backup/backup-manifest.ts';
import { isAhead } from '#runtime/is-ahead.ts';

const hourMs = 3_600_000;
/** After the hour of the nightly backup. */
const nightlyMinute = 30;
/** A machine that was just switched on has other work first. */
const settleMs = 600_000;
/** After a failure, also so that a disk that stays full is not written to all day. */
const retryMs = hourMs;
/** Two nights and some: then something is wrong, even if no attempt failed. */
export const tooOldMs = 50 * hourMs;

/** The last or the next time of the nightly backup, by the machine's clock. */
const nightOf = (nowMs: number, hour: number, days: number): number => {
  const date = new Date(nowMs);
  date.setHours(hour, nightlyMinute, 0, 0);
  if (date.getTime() > nowMs) date.setDate(date.getDate() - 1);
  date.setDate(date.getDate() + days);
  return date.getTime();
};

/**
 * When the next nightly backup is due, which may be in the past: one that was missed, because the machine was off or
 * because it failed, is caught up. A backup that a person took in the night counts.
 */
export const nextBackupMs = ({
  hour,
  nowMs,
  startedMs,
  newestMs,
  failedMs,
}: {
  /** Of the nightly backup, from 0 to 23. */
  readonly hour: number;
  readonly nowMs: number;
  /** When this process began. */
  readonly startedMs: number;
  /** The newest nightly or manual backup; null when there is none. */
  readonly newestMs: number | null;
  /** When the last attempt failed; null when it did not. */
  readonly failedMs: number | null;
}): number => {
  // What lies ahead was noted by a clock that has been set back since; it must not delay the next one forever.
  const isDone = newestMs !== null && newestMs >= nightOf(nowMs, hour, 0) && !isAhead(newestMs, nowMs);
  if (isDone) return nightOf(nowMs, hour, 1);
  const settledMs = isAhead(startedMs, nowMs) ? nowMs : startedMs + settleMs;
  const earliest = Math.max(nightOf(nowMs, hour, 0), settledMs);
  return failedMs === null || isAhead(failedMs, nowMs) ? earliest : Math.max(earliest, failedMs + retryMs);
};

/** A backup that this process took, and how long ago, by a clock that no one sets. */
export interface OwnBackup {
  readonly name: string;
  readonly agoMs: number;
  /** How far the wall clock is ahead of what is proven (decision 0108, rule 6). Absent: nothing is proven. */
  readonly unprovenMs?: number;
}

/**
 * When the newest backup was taken that holds the whole installation and is not dated ahead of now, in milliseconds since 1970; null:
 * there is none. However the clock was set since, the age of our own is known; it is older where the wall clock is proven, since a
 * virtual machine that was paused counts no time of its own.
 */
export const newestFullMs = (
  backups: readonly KeptBackup[],
  nowMs: number,
  own: OwnBackup | null = null,
): number | null => {
  const times = backups
    .filter(({ kind, takenAt }) => kind !== 'database' && !isAhead(Date.parse(takenAt), nowMs))
    .map(({ name, takenAt }) => {
      const takenMs = Date.parse(takenAt);
      if (own === null || name !== own.name) return takenMs;
      return Math.min(nowMs - own.agoMs, takenMs + (own.unprovenMs ?? Number.POSITIVE_INFINITY));
    });
  return times.length === 0 ? null : Math.max(...times);
};
