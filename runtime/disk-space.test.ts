import { expect, test } from 'vitest';
import { DiskFullError, diskSpaceOf, isDiskFull, spaceLevel } from './disk-space.ts';

const gib = 2 ** 30;

// Guarantee: people are warned of a full disk long before Postgres stops on it; a small disk does not count as low while most of it
// is free.
test.each([
  [100, 500, 'enough'],
  [1.9, 500, 'low'],
  [0.4, 500, 'short'],
  [0.01, 500, 'full'],
  [1.5, 8, 'enough'],
  [0.7, 8, 'low'],
  [0, 8, 'full'],
])('%d GiB free of %d are %s', (free, total, level) => {
  expect(spaceLevel({ freeBytes: free * gib, totalBytes: total * gib })).toBe(level);
});

// Guarantee: a full disk is recognized by Node's code, by Postgres's, by what Postgres prints, and through a cause.
test('a full disk is recognized', () => {
  const coded = (code: string) => Object.assign(new Error('failed'), { code });
  for (const error of [
    coded('ENOSPC'),
    coded('EDQUOT'),
    coded('53100'),
    new Error('PANIC:  could not write to file "pg_wal/xlogtemp.1": No space left on device'),
    new DiskFullError('no room'),
    new Error('outer', { cause: coded('ENOSPC') }),
  ])
    expect(isDiskFull(error)).toBe(true);
  for (const error of [coded('EACCES'), coded('57P01'), null, 'ENOSPC'])
    expect(isDiskFull(error)).toBe(false);
});

test('a folder that is not there yet has the space of the disk that it will lie on', async () => {
  expect((await diskSpaceOf('/tmp/not/there/yet')).totalBytes).toBe((await diskSpaceOf('/tmp')).totalBytes);
});
