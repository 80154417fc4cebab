import { expect, test } from 'vitest';
import { createMicroBatch } from './micro-batch.ts';

const never = () => false;

// Guarantee: rows that arrive together are sent together, in order, and no more statements are in flight than allowed.
test('rows are gathered', async () => {
  const sizes: number[] = [];
  let inFlight = 0;
  let most = 0;
  const run = createMicroBatch(
    async (rows: readonly number[]) => {
      sizes.push(rows.length);
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise(setImmediate);
      inFlight -= 1;
      return rows.map((row) => row * 2);
    },
    { maxInFlight: 2, maxRows: 10, isHopeless: never, maxWaiting: 100 },
  );
  const answers = await Promise.all(Array.from({ length: 95 }, (_, index) => run(index)));
  expect(answers).toEqual(Array.from({ length: 95 }, (_, index) => index * 2));
  expect(most).toBe(2);
  expect(sizes).toEqual([10, 10, 10, 10, 10, 10, 10, 10, 10, 5]);
});

// Guarantee: a row that cannot be answered fails alone.
test('neighbours of a bad row are answered', async () => {
  const run = createMicroBatch(
    async (rows: readonly string[]) => {
      if (rows.includes('bad')) throw new Error('poisoned');
      return rows;
    },
    { maxInFlight: 2, maxRows: 10, isHopeless: never, maxWaiting: 100 },
  );
  const settled = await Promise.allSettled(['a', 'bad', 'b'].map(run));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

// Guarantee: when the database is unreachable, no row waits for one attempt per row, and the next request is tried again.
test('hopeless rows are not tried one by one', async () => {
  let calls = 0;
  const run = createMicroBatch(
    async (rows: readonly string[]) => {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return rows;
    },
    { maxInFlight: 2, maxRows: 10, isHopeless: () => true, maxWaiting: 100 },
  );
  const settled = await Promise.allSettled(['a', 'b', 'c'].map(run));
  expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
  expect(calls).toBe(1);
  expect(await run('d')).toBe('d');
});

// Guarantee: no row waits behind an unreachable database, and later ones are tried again.
test('rows that wait behind a hopeless statement fail with it', async () => {
  let calls = 0;
  const run = createMicroBatch(
    async (rows: readonly string[]) => {
      calls += 1;
      if (calls === 1) throw new Error('away');
      return rows;
    },
    { maxInFlight: 1, maxRows: 1, isHopeless: () => true, maxWaiting: 100 },
  );
  const settled = await Promise.allSettled(['a', 'b', 'c'].map(run));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(calls).toBe(1);
  expect(await run('d')).toBe('d');
});

// Guarantee: the queue is bounded; rows that find it full are told to retry, the others are answered.
test('a full queue refuses', async () => {
  const run = createMicroBatch(async (rows: readonly number[]) => rows, {
    maxInFlight: 1,
    maxRows: 10,
    maxWaiting: 3,
    isHopeless: never,
  });
  const settled = await Promise.allSettled([1, 2, 3, 4].map(run));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  expect(settled[3]).toMatchObject({ reason: { code: 'DATABASE_UNAVAILABLE' } });
  expect(await run(5)).toBe(5);
});
