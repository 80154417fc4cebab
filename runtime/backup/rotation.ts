import { leastDaysKept } from '#contracts/backups.ts';
import type { KeptBackup } from './backup-manifest.ts';

const weeks = 4;
const dayMs = 86_400_000;

/** Both in UTC, so that daylight saving moves no backup to another day. */
const dayOf = (takenAt: string): number => Math.floor(Date.parse(takenAt) / dayMs);
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const weekOf = (takenAt: string): number => Math.floor((dayOf(takenAt) + 3) / 7);

/**
 * The nightly backups to delete: the newest of each of the last days that have one stays, and of the older ones the newest of
 * each of 4 weeks. Backups that a person or an update took stay.
 */
export const outdatedBackups = (backups: readonly KeptBackup[], days = leastDaysKept): KeptBackup[] => {
  const nightly = backups
    .filter(({ kind }) => kind === 'nightly')
    .toSorted((a, b) => b.takenAt.localeCompare(a.takenAt));
  const daily = newestOfEach(nightly, dayOf).slice(0, days);
  const oldestDay = dayOf(daily.at(-1)?.takenAt ?? '');
  const older = nightly.filter(({ takenAt }) => dayOf(takenAt) < oldestDay);
  const kept = new Set([...daily, ...newestOfEach(older, weekOf).slice(0, weeks)]);
  return nightly.filter((backup) => !kept.has(backup));
};

/** @param newestFirst in that order */
const newestOfEach = (
  newestFirst: readonly KeptBackup[],
  span: (takenAt: string) => number,
): readonly KeptBackup[] => {
  const seen = new Set<number>();
  return newestFirst.filter(({ takenAt }) => {
    const number = span(takenAt);
    if (seen.has(number)) return false;
    seen.add(number);
    return true;
  });
};
