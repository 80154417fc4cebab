// Guarantee: a stream of any rate costs one change of the page per frame, and a page that is not visible keeps no more
// than its limit.
import { expect, it } from 'vitest';
import { createFrameBatch } from './frame-batch.ts';

const frames = () => {
  const asked: (() => void)[] = [];
  return {
    asked,
    clock: {
      request: (act: () => void) => asked.push(act),
      cancel: (id: number) => void asked.splice(id - 1, 1),
    },
  };
};

it('hands on what came within a frame together', () => {
  const { asked, clock } = frames();
  const flushed: unknown[] = [];
  const batch = createFrameBatch<number>(10, (items, leftOut) => flushed.push([items, leftOut]), clock);
  batch.add([1, 2]);
  batch.add([3]);
  batch.add([]);
  expect(asked).toHaveLength(1);
  asked.shift()?.();
  expect(flushed).toEqual([[[1, 2, 3], 0]]);
  batch.add([4]);
  expect(asked).toHaveLength(1);
});

it('keeps the newest and counts the rest while no frame comes', () => {
  const { asked, clock } = frames();
  let kept: readonly number[] = [];
  let before = 0;
  const batch = createFrameBatch<number>(
    10,
    (items, leftOut) => {
      kept = items;
      before = leftOut;
    },
    clock,
  );
  for (let item = 0; item < 1000; item += 1) batch.add([item]);
  asked.shift()?.();
  expect(kept.length).toBeLessThanOrEqual(20);
  expect(kept.at(-1)).toBe(999);
  expect(kept.length + before).toBe(1000);
});

it('hands on nothing any more once it is ended', () => {
  const { asked, clock } = frames();
  const batch = createFrameBatch<number>(10, () => expect.unreachable(), clock);
  batch.add([1]);
  batch[Symbol.dispose]();
  expect(asked).toEqual([]);
});
