import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { begunMs } from '../is-ahead.ts';
import { isDatedAhead, notesAfter, readDatedAhead, writeDatedAhead } from './dated-ahead.ts';

const hourMs = 3_600_000;
const nowMs = Date.parse('2026-05-10T12:00:00Z');
const dated = (hours: number) => ({
  name: `${hours}`,
  takenAt: new Date(nowMs + hours * hourMs).toISOString(),
});
const look = (hours: number, passedHours = hours) => ({
  nowMs: nowMs + hours * hourMs,
  monotonicMs: passedHours * hourMs,
});

// Guarantee: a backup that is dated ahead is known as such after its date has passed, also by the next process; a clock that was
// behind, and is put right, says nothing of the backups that it passes.
test('a date that passes', async () => {
  const backups = [dated(-24), dated(1), dated(30)];
  const noted = notesAfter({}, backups, look(0), null);
  expect(Object.keys(noted).toSorted()).toEqual(['1', '30']);
  const waited = notesAfter(noted, backups, look(2), look(0));
  expect(backups.map((backup) => isDatedAhead(backup, waited, look(2).nowMs))).toEqual([false, true, true]);
  const putRight = notesAfter(noted, backups, look(2, 0.1), look(0));
  expect(Object.keys(putRight)).toEqual(['30']);
  // One that was passed by waiting, before the clock was set.
  expect(Object.keys(notesAfter(waited, backups, look(50, 2.1), look(2)))).toEqual(['1']);

  await using folder = await temporaryFolder('ahead');
  expect(await readDatedAhead(folder.path)).toEqual({});
  await mkdir(join(folder.path, 'backups'));
  await writeDatedAhead(folder.path, noted);
  expect(await readDatedAhead(folder.path)).toEqual(noted);
});

// Guarantee: a clock that is put right during a backup dates it rightly; a sleep, and a clock that is put forward, leave its beginning.
test.each([
  ['nothing', 0.5, 0.5, 0],
  ['put back by 8 days', 0.5 - 8 * 24, 0.5, -8 * 24],
  ['put back by 70 years', 0.5 - 70 * 8766, 0.5, -70 * 8766],
  ['slept, and the monotonic clock, too', 9, 0.5, 0],
  ['put forward by a day', 24.5, 0.5, 0],
] as const)('a backup of half an hour, and %s', (_, passedHours, monotonicHours, expected) => {
  expect((begunMs(look(0), look(passedHours, monotonicHours)) - nowMs) / hourMs).toBeCloseTo(expected);
});
