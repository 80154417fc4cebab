import fc from 'fast-check';
import { expect, test } from 'vitest';
import { savesHttp } from '#contracts/servers/saves.ts';
import { listEvents } from './list-events.ts';
import { markDatedAhead, readBackupName, readSavesList } from './saves-list.ts';
import { backupNamed, listOf } from './testing/saves-agent.ts';

const one = '2026-01-01T04-30-00Z';
const two = '2026-01-02T04-30-00Z';
const read = (value: unknown) => {
  const list = readSavesList(value);
  if (!list) throw new Error('no list');
  return list;
};

// Guarantee: the list of an older agent, which gives only the number of notes and nothing about nights or the disk, is shown.
test('an older agent', () => {
  const list = read({
    backups: [backupNamed(one, { notes: 0 }), backupNamed(two, { notes: 2 })],
    unconfirmed: null,
  });
  expect(list).toMatchObject({ nightly: null, freeBytes: null });
  expect(list.backups.map(({ name, notes }) => [name, notes])).toEqual([
    [two, [expect.stringContaining('castellan-agent saves list')]],
    [one, []],
  ]);
});

// Guarantee: what a hostile agent puts into its list is dropped or cut: it can neither show text that looks like another
// name, nor fill a page, nor break an answer.
test('a hostile list', () => {
  const bad = [
    backupNamed('../../etc/passwd'),
    backupNamed('.hidden'),
    backupNamed(`a${'b'.repeat(100)}`),
    backupNamed('a\u202Eb'),
    backupNamed(one, { at: 'yesterday' }),
    backupNamed(one, { bytes: -1 }),
    backupNamed(one, { bytes: 1e300 }),
    backupNamed(one, { files: 'many' }),
    backupNamed(one, { notes: { toString: 'x' } }),
    null,
    7,
  ];
  expect(read({ ...listOf(), backups: [...bad, backupNamed(two), backupNamed(two)] }).backups).toHaveLength(
    1,
  );
  const [noisy] = read({
    ...listOf(),
    backups: [
      backupNamed(one, {
        notes: ['\u001B[2Jgone\0\u202E', 'x'.repeat(9000), ...Array.from({ length: 90 }, () => 'n')],
      }),
    ],
  }).backups;
  expect(noisy?.notes).toHaveLength(20);
  expect(noisy?.notes[0]).toBe('\\x1b[2Jgone\u{fffd}\\u{202e}');
  expect(noisy?.notes[1]?.length).toBe(500);
  const many = Array.from({ length: 1000 }, (_, count) => backupNamed(`${one}-${count}`));
  expect(read({ ...listOf(), backups: many }).backups).toHaveLength(200);
  expect(
    read({ ...listOf(), unconfirmed: '../x', nightly: { atMinute: 99_999 }, freeBytes: 'all' }),
  ).toMatchObject({ unconfirmed: null, nightly: null, freeBytes: null });
  for (const value of [null, [], 'list', {}, { backups: {} }]) expect(readSavesList(value)).toBeNull();
  for (const value of [null, {}, { backup: null }, { backup: { name: '..' } }])
    expect(readBackupName(value)).toBeNull();
});

// Guarantee: whatever an agent answers, what is kept has the contract's shape.
test('any list', () => {
  const list = savesHttp.read.response.shape.list;
  fc.assert(
    fc.property(
      fc.record({
        backups: fc.array(fc.oneof(fc.anything(), fc.constant(backupNamed(one)))),
        unconfirmed: fc.anything(),
        nightly: fc.oneof(fc.anything(), fc.record({ atMinute: fc.integer(), last: fc.anything() })),
        freeBytes: fc.oneof(fc.anything(), fc.double()),
      }),
      (value) => {
        const kept = readSavesList(value);
        expect(kept).not.toBeNull();
        list.parse({ at: new Date().toISOString(), ...kept });
      },
    ),
  );
});

const at = (text: string) => new Date(text);
const now = at('2026-01-10T00:00:00Z');
const follow = () => {
  let known: Parameters<typeof listEvents>[0] = null;
  return (value: Record<string, unknown>) => {
    const list = read(value);
    const { made, nightlyFailure, told } = listEvents(known, list, now);
    known = { list, ...told };
    return { made: made.map(({ name }) => name), failed: nightlyFailure?.detail ?? null };
  };
};
// Guarantee: what an agent calls dated ahead, or what lies ahead of the API's time, is marked; nothing else is.
test('backups that are dated ahead', () => {
  const said = read({
    ...listOf(),
    backups: [{ ...backupNamed(two), isDatedAhead: true }, backupNamed(one)],
  });
  const listed = (at_: Date) =>
    markDatedAhead(said, at_.getTime()).backups.map(({ name, isDatedAhead }) => [name, isDatedAhead]);
  expect(listed(at('2030-01-01T00:00:00Z'))).toEqual([
    [two, true],
    [one, undefined],
  ]);
  expect(listed(at('2020-01-01T00:00:00Z'))).toEqual([
    [two, true],
    [one, true],
  ]);
  expect(read({ ...listOf(), backups: [{ ...backupNamed(one), isDatedAhead: 'no' }] }).backups).toHaveLength(
    1,
  );
});

const night = (last: unknown) => ({ ...listOf(), nightly: { atMinute: 270, last } });

// Guarantee: a backup is reported once: not for the first list, and not again after a folder was away or a clock was wrong.
test('backups are told once', () => {
  const hear = follow();
  expect(hear(listOf(one)).made).toEqual([]);
  expect(hear(listOf(one, two)).made).toEqual([two]);
  expect(hear(listOf(one, two)).made).toEqual([]);
  expect(hear(listOf()).made).toEqual([]);
  expect(hear(listOf(one, two)).made).toEqual([]);
  // Taken by a clock that is years ahead, which is then corrected.
  expect(hear(listOf(two, '2040-01-01T00-00-00Z')).made).toEqual(['2040-01-01T00-00-00Z']);
  expect(hear(listOf(two, '2040-01-01T00-00-00Z', '2026-01-11T00-00-00Z')).made).toEqual([
    '2026-01-11T00-00-00Z',
  ]);
  const many = Array.from(
    { length: 50 },
    (_, count) => `2026-01-12T00-00-${String(count).padStart(2, '0')}Z`,
  );
  expect(hear(listOf(...many)).made).toHaveLength(10);
});

// Guarantee: a nightly failure that is told by a clock that is ahead is reported once, as of now, so that the next backup ends it.
test('a failure from the future', () => {
  const list = read(night({ at: '2096-01-01T04:30:00.000Z', isTaken: false, detail: 'The disk is full.' }));
  const first = listEvents(null, list, now);
  expect(first).toMatchObject({ nightlyFailure: { at: now }, told: { nightly_failure_at: now } });
  const later = at('2026-01-11T00:00:00Z');
  const second = listEvents({ list, ...first.told }, list, later);
  expect(second).toMatchObject({ nightlyFailure: null, told: { nightly_failure_at: now } });
});

// Guarantee: each failed nightly backup is reported once, even from the first list; a successful one is not.
test('nightly backups that fail', () => {
  const hear = follow();
  const failed = (day: number, detail: string | null = 'The disk is full.') =>
    night({ at: `2026-01-0${day}T04:30:00.000Z`, isTaken: false, detail });
  expect(hear(failed(1)).failed).toBe('The disk is full.');
  expect(hear(failed(1)).failed).toBeNull();
  expect(hear(failed(2, null)).failed).toBe('');
  expect(hear(night({ at: '2026-01-03T04:30:00.000Z', isTaken: true, detail: null })).failed).toBeNull();
  expect(hear(night(null)).failed).toBeNull();
  expect(hear(failed(2)).failed).toBeNull();
  expect(hear(failed(4)).failed).toBe('The disk is full.');
});
