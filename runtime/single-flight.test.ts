import { expect, test } from 'vitest';
import { singleFlight } from './single-flight.ts';

// Guarantee: two calls at once share one run, and a run that failed does not stand in the way of the next.
test('one run at a time', async () => {
  const begun: string[] = [];
  const first = Promise.withResolvers<number>();
  const run = singleFlight((name: string) => {
    begun.push(name);
    return first.promise;
  });
  const both = [run('one'), run('two')];
  expect(run.underWay()).toBe(both[0]);
  first.reject(new Error('no'));
  await expect(Promise.all(both)).rejects.toThrow('no');
  expect(run.underWay()).toBeNull();
  await expect(run('three')).rejects.toThrow('no');
  expect(begun).toEqual(['one', 'three']);
});
