import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { nightDue, reopenNight, startNightly } from './nightly.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 5, day, hour, minute);

// Guarantee: each night is due once, from its minute on and for three hours, even around midnight.
test('when a night is due', () => {
  expect(nightDue(at(10, 4, 29), 270, null)).toBeNull();
  expect(nightDue(at(10, 4, 30), 270, null)).toBe('2026-06-10');
  expect(nightDue(at(10, 7, 30), 270, '2026-06-09')).toBe('2026-06-10');
  expect(nightDue(at(10, 7, 31), 270, '2026-06-09')).toBeNull();
  expect(nightDue(at(10, 5), 270, '2026-06-10')).toBeNull();
  expect(nightDue(at(11, 0, 20), 1430, '2026-06-09')).toBe('2026-06-10');
  expect(nightDue(at(11, 0, 20), 1430, '2026-06-10')).toBeNull();
  // Set back by a day; and written by a clock that was years ahead.
  expect(nightDue(at(9, 5), 270, '2026-06-10')).toBeNull();
  expect(nightDue(at(10, 5), 270, '2040-01-01')).toBe('2026-06-10');
});

// Guarantee: however the clock jumps within a day, no nightly backup is made twice.
test('a clock that jumps', () => {
  fc.assert(
    fc.property(fc.nat(1439), fc.array(fc.nat(1439), { maxLength: 30 }), (start, minutes) => {
      const done: string[] = [];
      for (const minute of minutes) {
        const night = nightDue(at(10, 0, minute), start, done.at(-1) ?? null);
        if (night !== null) done.push(night);
      }
      expect(new Set(done).size).toBe(done.length);
      expect(done.length).toBeLessThanOrEqual(2);
    }),
  );
});

// Guarantee: after a failed backup, or a start in the same night, there is no second try in that night; there is in the next.
test('once a night over restarts', async () => {
  await using folder = await temporaryFolder('nightly');
  const stateFolder = join(folder.path, 'state');
  await mkdir(stateFolder);
  const log = createLog({ component: 'agent', level: 'silent' });
  let now = at(10, 5);
  let minute: number | null = null;
  let backups = 0;
  const backUp = async () => {
    backups += 1;
    throw new Error('the disk is full');
  };
  const begin = () =>
    startNightly({
      stateFolder,
      serverId: 'a',
      atMinute: async () => minute,
      backUp,
      log,
      now: () => now,
      lookMs: 5,
    });
  const mark = join(stateFolder, 'saves-night.json');
  {
    await using _nightly = begin();
    // A time that is set later counts without a restart.
    minute = 270;
    await eventually(() => expect(backups).toBe(1));
  }
  {
    await using _nightly = begin();
    now = at(11, 5);
    await eventually(() => expect(backups).toBe(2));
  }
  expect(await readFile(mark, 'utf8')).toBe('2026-06-11');
});

// Guarantee: a night that was noted by a clock that was ahead, by a day or by years, stands for no night to come.
test.each(['2026-06-11', '2026-06-18', '2096-06-10'])(
  'a night of %s that was noted on the 10th',
  async (noted) => {
    await using folder = await temporaryFolder('nightly');
    const stateFolder = folder.path;
    await writeFile(join(stateFolder, 'saves-night.json'), noted);
    let now = at(10, 12);
    const nights: number[] = [];
    await using _nightly = startNightly({
      ...{ stateFolder, serverId: 'a', atMinute: async () => 270, lookMs: 5 },
      log: createLog({ component: 'agent', level: 'silent' }),
      backUp: async () => void nights.push(now.getDate()),
      now: () => now,
    });
    // Until the clock is right again, nothing is due; then the note is.
    await eventually(async () =>
      expect(await readFile(join(stateFolder, 'saves-night.json'), 'utf8')).toBe('2026-06-10'),
    );
    for (const day of [11, 12]) {
      now = at(day, 5);
      await eventually(() => expect(nights.at(-1)).toBe(day));
    }
    expect(nights).toEqual([11, 12]);
  },
);

// Guarantee: a new time that lies ahead today is due today, although today's backup was made; one that has passed is not.
test('a time that changes', async () => {
  await using folder = await temporaryFolder('nightly');
  const own = { stateFolder: folder.path, serverId: 'a' };
  const mark = join(folder.path, 'saves-night.json');
  const dueAfter = async (atMinute: number, last: string, now: Date) => {
    await writeFile(mark, last);
    await reopenNight(own, atMinute, now);
    return nightDue(at(10, 23, 30), 23 * 60 + 20, await readFile(mark, 'utf8'));
  };
  expect(await dueAfter(23 * 60, '2026-06-10', at(10, 12))).toBe('2026-06-10');
  expect(await dueAfter(11 * 60, '2026-06-10', at(10, 12))).toBeNull();
  expect(await dueAfter(23 * 60, '2026-06-09', at(10, 12))).toBe('2026-06-10');
});
