import { expect, test } from 'vitest';
import type { KeptBackup } from './backup-manifest.ts';
import { outdatedBackups } from './rotation.ts';

const dayMs = 86_400_000;
const start = Date.parse('2026-01-01T03:30:00Z');
const later = start + 365 * dayMs;

const backup = (atMs: number, kind: KeptBackup['kind'] = 'nightly'): KeptBackup => {
  const takenAt = new Date(atMs).toISOString();
  return {
    name: takenAt,
    takenAt,
    kind,
    reason: kind,
    cause: { kind: 'nightly' },
    bytes: 1,
    version: null,
    isListed: true,
  };
};

// Guarantee: after months of nights there are 7 daily backups in a row and 4 weekly ones before them, each the newest of its week;
// at any time the oldest is at least three weeks old.
test('7 daily and 4 weekly backups are kept', () => {
  let kept: KeptBackup[] = [];
  for (let night = 0; night < 120; night += 1) {
    kept = [...kept, backup(start + night * dayMs)];
    const outdated = outdatedBackups(kept, start + night * dayMs);
    kept = kept.filter((each) => !outdated.includes(each));
    if (night < 40) continue;
    const ages = kept.map(({ takenAt }) => night - (Date.parse(takenAt) - start) / dayMs).toReversed();
    expect(ages).toHaveLength(11);
    expect(ages.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(ages.at(-1)).toBeGreaterThanOrEqual(21);
    // The newest weekly one belongs to the week in which the daily ones begin.
    const apart = ages.slice(9).map((age, index) => age - (ages[8 + index] ?? 0));
    expect(apart).toEqual([7, 7]);
  }
});

// Guarantee: of several on one day the newest counts; a machine that was off for weeks keeps the days that it has; the nightly
// clean-up never deletes a backup that is not nightly.
test('gaps, twice a day, and backups of people', () => {
  expect(outdatedBackups([], later)).toEqual([]);
  const early = backup(start);
  const late = backup(start + 3_600_000);
  expect(outdatedBackups([early, late], later)).toEqual([early]);
  const far = Array.from({ length: 7 }, (_, index) => backup(start + index * 20 * dayMs));
  expect(outdatedBackups(far, later)).toEqual([]);
  const others = Array.from({ length: 50 }, (_, index) =>
    backup(start + index * dayMs, index % 2 ? 'manual' : 'database'),
  );
  expect(outdatedBackups(others, later)).toEqual([]);
});

// Guarantee: more days keep theirs when a person wants that; fewer than seven cannot be asked for.
test('more days', () => {
  const nights = Array.from({ length: 60 }, (_, night) => backup(start + night * dayMs));
  expect(nights.length - outdatedBackups(nights, later, { days: 20 }).length).toBe(24);
});

// Guarantee: backups that are dated ahead of now take no other's place and stay, however many there are; once such a date has
// passed, the backup still takes no place, and goes when all that are kept are dated later.
test('backups that are dated ahead', () => {
  const nights = Array.from({ length: 40 }, (_, night) => backup(start + night * dayMs));
  const nowMs = start + 39 * dayMs;
  const ahead = [1, 2, 8, 25_000].map((days) => backup(nowMs + days * dayMs + 60_000));
  expect(outdatedBackups([...nights, ...ahead], nowMs)).toEqual(outdatedBackups(nights, nowMs));

  const sameDay = backup(nowMs + 60_000);
  const seenAhead = { [sameDay.name]: new Date(nowMs - 8 * dayMs).toISOString() };
  const noon = nowMs + dayMs / 2;
  expect(outdatedBackups([...nights, sameDay], noon)).toContainEqual(nights.at(-1));
  const known = outdatedBackups([...nights, sameDay], noon, { seenAhead });
  expect(known).toEqual(outdatedBackups(nights, noon));
  const after = Array.from({ length: 60 }, (_, night) => backup(nowMs + night * dayMs));
  const outdatedAfter = (count: number) =>
    outdatedBackups([...after.slice(0, count), sameDay], nowMs + count * dayMs, { seenAhead });
  expect(outdatedAfter(3)).toEqual([]);
  expect(outdatedAfter(60)).toContainEqual(sameDay);
});

// Guarantee: when a clock that was behind made all backups look dated ahead, none goes before as many newer ones are there as are kept.
test('backups that were seen by a clock that was behind', () => {
  const nights = Array.from({ length: 80 }, (_, night) => backup(start + night * dayMs));
  const seenAhead = Object.fromEntries(
    nights.slice(0, 40).map(({ name }) => [name, nights[0]?.takenAt ?? '']),
  );
  const outdatedAfter = (count: number) =>
    outdatedBackups(nights.slice(0, 40 + count), start + (40 + count) * dayMs, { seenAhead });
  expect(outdatedAfter(2)).toEqual([]);
  expect(outdatedAfter(7)).toEqual([]);
  expect(outdatedAfter(40)).toEqual(expect.arrayContaining(nights.slice(0, 40)));
});
