import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '#runtime/problem.ts';
import { decodeLogCursor, encodeLogCursor, type LogPosition } from './log-cursor.ts';
import { type LogSlice, readLogPage } from './log-page.ts';

const compare = (one: LogPosition, other: LogPosition): number =>
  one.at.getTime() - other.at.getTime() || Number(BigInt(one.id) - BigInt(other.id));

/** A log in memory. */
const reader =
  (log: readonly LogPosition[]) =>
  async ({ order, beyond, limit }: LogSlice): Promise<readonly LogPosition[]> => {
    const sign = order === 'oldest first' ? 1 : -1;
    return log
      .filter((row) => !beyond || sign * compare(row, beyond) > 0)
      .toSorted((one, other) => sign * compare(one, other))
      .slice(0, limit);
  };

const someLog = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 60 })), {
    selector: ([, id]) => id,
    maxLength: 40,
  })
  .map((rows) => rows.map(([at, id]) => ({ at: new Date(at), id: String(id) })));

const walk = async (log: readonly LogPosition[], limit: number, page: 'first' | 'last') => {
  const pages: (readonly LogPosition[])[] = [];
  let cursor: string | undefined;
  for (;;) {
    const found = await readLogPage({ page, limit, ...(cursor ? { cursor } : {}) }, reader(log));
    pages.push(found.rows);
    const next = page === 'first' ? found.nextCursor : found.previousCursor;
    if (!next) return page === 'first' ? pages.flat() : pages.reverse().flat();
    cursor = next;
  }
};

// Guarantee: page by page, from either end, every row comes exactly once and newest first, even where many share a time.
test('pages from either end give the whole log', async () => {
  await fc.assert(
    fc.asyncProperty(someLog, fc.integer({ min: 1, max: 9 }), async (log, limit) => {
      const sorted = log.toSorted((one, other) => compare(other, one));
      expect(await walk(log, limit, 'first')).toEqual(sorted);
      expect(await walk(log, limit, 'last')).toEqual(sorted);
    }),
  );
});

// Guarantee: going forward and back returns to the same page.
test('the previous page of the next one is the same page', async () => {
  await fc.assert(
    fc.asyncProperty(someLog, fc.integer({ min: 1, max: 9 }), async (log, limit) => {
      const first = await readLogPage({ page: 'first', limit }, reader(log));
      if (!first.nextCursor) return;
      expect(first.previousCursor).toBeNull();
      const second = await readLogPage({ page: 'first', limit, cursor: first.nextCursor }, reader(log));
      const back = await readLogPage(
        { page: 'first', limit, cursor: second.previousCursor ?? '' },
        reader(log),
      );
      expect(back).toEqual(first);
    }),
  );
});

// Guarantee: a cursor identifies its row exactly; anything that is not our cursor is refused and never reaches the database.
test('cursors', () => {
  const cursor = { towards: 'older', position: { at: new Date(1_700_000_000_123), id: '42' } } as const;
  expect(decodeLogCursor(encodeLogCursor(cursor))).toEqual(cursor);
  for (const text of [
    '',
    'x',
    'bm9wZQ',
    Buffer.from("o.1.1' or 1=1").toString('base64url'),
    `${Buffer.from(`o.1.${'9'.repeat(19)}`).toString('base64url')}`,
  ])
    expect(() => decodeLogCursor(text)).toThrow(Problem);
});
