import { expect, test } from 'vitest';
import { alternate, median, shareSmaller } from './statistics.ts';

test('the median is the middle value, or the mean of the two middle ones', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

// Guarantee: subjects take turns, so that a noisy minute falls on all of them.
test('subjects run in alternation', async () => {
  const order: string[] = [];
  const subject = (name: string) => async (round: number) => {
    order.push(name + round);
    return { figure: round };
  };
  const result = await alternate({ a: subject('a'), b: subject('b') }, 3, () => undefined);
  expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  expect(result.b.figure).toBe(1);
});

test('what nothing tells apart is smaller half of the time', () => {
  expect(shareSmaller([1, 2, 3], [4, 5])).toBe(1);
  expect(shareSmaller([4, 5], [1, 2, 3])).toBe(0);
  expect(shareSmaller([1, 2, 2, 3], [1, 2, 2, 3])).toBe(0.5);
  expect(shareSmaller([1, 3], [2])).toBe(0.5);
});
