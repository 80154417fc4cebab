import { expect, test } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';
import { Problem } from './problem.ts';

const tooManyWaiting = () => new Problem('DATABASE_UNAVAILABLE');

const statuses = (settled: readonly PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status);

// Guarantee: no more tasks run at a time than allowed; a task that finds the queue full is told to come again; a failure affects
// only its own task.
test('the queue is bounded', async () => {
  const inTurn = limitConcurrency({ maxRunning: 1, maxWaiting: 2, tooManyWaiting, isHopeless: () => false });
  const first = Promise.withResolvers<string>();
  const tasks = [() => first.promise, async () => 'b', async () => 'c', async () => 'd'];
  const settled = Promise.allSettled(tasks.map(inTurn));
  first.reject(new Error('refused'));
  expect(statuses(await settled)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'rejected']);
  expect((await settled)[3]).toMatchObject({ reason: { code: 'DATABASE_UNAVAILABLE' } });
  expect(await inTurn(async () => 'e')).toBe('e');
});

// Guarantee: no task waits while the database is away, and later tasks are tried again.
test('what waits behind a hopeless task fails with it', async () => {
  const inTurn = limitConcurrency({ maxRunning: 1, maxWaiting: 2, tooManyWaiting, isHopeless: () => true });
  const first = Promise.withResolvers<string>();
  let calls = 0;
  const next = async () => {
    calls += 1;
  };
  const settled = Promise.allSettled([() => first.promise, next, next].map((task) => inTurn<unknown>(task)));
  first.reject(new Error('away'));
  expect(statuses(await settled)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(calls).toBe(0);
  expect(await inTurn(async () => 'e')).toBe('e');
});
