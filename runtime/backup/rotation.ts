import { leastDaysKept } from '#contracts/operations/backups.ts';
import { isAhead } from '../is-ahead.ts';
import type { KeptBackup } from './backup-manifest.ts';
import type { DatedAhead } from './dated-ahead.ts';

const weeks = 4;
const dayMs = 86_400_000;

/** Both in UTC, so that daylight saving moves no backup to another day. */
const dayOf = (takenAt: string): number => Math.floor(Date.parse(takenAt) / dayMs);
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const weekOf = (takenAt: string): number => Math.floor((dayOf(takenAt) + 3) / 7);

/**
 * The nightly backups to delete: the newest of each of the last days that have one stays, and of the older ones the newest of
 * each of 4 weeks. Backups that a person or an update took stay. One that is dated ahead of now, or was, takes no other's place; it
 * stays until as many as are kept at most are dated later. If its date was right after all, since the clock was behind when it
 * was seen, it would have gone then, too.
 */
export const outdatedBackups = (
  backups: readonly KeptBackup[],
  nowMs: number,
  { days = leastDaysKept, seenAhead = {} }: { readonly days?: number; readonly seenAhead?: DatedAhead } = {},
): KeptBackup[] => {
  const passed = backups
    .filter(({ kind, takenAt }) => kind === 'nightly' && !isAhead(Date.parse(takenAt), nowMs))
    .toSorted((a, b) => b.takenAt.localeCompare(a.takenAt));
  const nightly = passed.filter(({ name }) => !(name in seenAhead));
  const daily = newestOfEach(nightly, dayOf).slice(0, days);
  const oldestDay = dayOf(daily.at(-1)?.takenAt ?? '');
  const older = nightly.filter(({ takenAt }) => dayOf(takenAt) < oldestDay);
  const weekly = newestOfEach(older, weekOf).slice(0, weeks);
  const kept = new Set([...daily, ...weekly]);
  const oldestKept = daily.length < days || weekly.length < weeks ? '' : (weekly.at(-1)?.takenAt ?? '');
  return passed.filter((backup) =>
    backup.name in seenAhead ? backup.takenAt < oldestKept : !kept.has(backup),
  );
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
