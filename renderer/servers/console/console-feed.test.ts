import { expect, test } from 'vitest';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { createConsoleFeed, mostCharacters, mostItems } from './console-feed.ts';

const at = (second: number) => new Date(1_800_000_000_000 + second * 1000).toISOString();
const entryOf = (id: string, second: number, more: Partial<ConsoleEntry> = {}): ConsoleEntry => ({
  id,
  at: at(second),
  serverId: 'server',
  actor: { kind: 'admin', id: '1', name: 'owner' },
  command: 'list',
  outcome: null,
  reply: null,
  truncated: false,
  durationMs: null,
  via: null,
  runId: id,
  ...more,
});

/** Frames come only when the test triggers them. */
const feedWithFrames = () => {
  const waiting: (() => void)[] = [];
  const feed = createConsoleFeed((publish) => waiting.push(publish));
  return {
    feed,
    waiting,
    frame() {
      for (const publish of waiting.splice(0)) publish();
      return feed.snapshot().items;
    },
  };
};

// Guarantee: however many lines come, only the newest are kept, no more than can be shown, and each frame publishes them once.
test('a flood stays bounded', () => {
  const { feed, waiting, frame } = feedWithFrames();
  let heard = 0;
  feed.subscribe(() => {
    heard += 1;
  });
  for (let batch = 0; batch < 300; batch += 1)
    feed.addLines(
      Array.from({ length: 200 }, (_, index) => ({ at: at(batch), text: `${batch * 200 + index}` })),
      0,
    );
  expect(waiting).toHaveLength(1);
  const items = frame();
  expect(heard).toBe(1);
  expect(items).toHaveLength(mostItems);
  expect(items.at(-1)).toMatchObject({ text: '59999' });
  expect(items[0]).toMatchObject({ text: String(60_000 - mostItems) });
  expect(feed.snapshot().total).toBe(60_000);
});

// Guarantee: long replies are limited by their total length, also while the page is hidden and no frame comes.
test('a flood of long answers', () => {
  const { feed, frame } = feedWithFrames();
  const reply = 'x'.repeat(64 * 1024);
  for (let index = 0; index < 1000; index += 1)
    feed.addEntries([entryOf(String(index), index, { outcome: 'answered', reply })]);
  const items = frame();
  expect(items.length * reply.length).toBeLessThanOrEqual(mostCharacters);
  expect(items.at(-1)).toMatchObject({ entry: { id: '999' } });
  expect(feed.entry('0')).toBeUndefined();
  expect(feed.entry('999')).toBeDefined();
});

// Guarantee: skipped lines are marked, in their place.
test('skipped lines stand before those that followed', () => {
  const { feed, frame } = feedWithFrames();
  feed.addLines([{ at: at(1), text: 'after' }], 12);
  expect(frame()).toMatchObject([{ kind: 'skipped', count: 12 }, { text: 'after' }]);
});

// Guarantee: a command appears once, with its newest state, in whatever order the history and the live messages arrive.
test('entries merge', () => {
  const { feed, frame } = feedWithFrames();
  feed.addEntries([entryOf('b', 5)]);
  feed.addLines([{ at: at(6), text: 'line' }], 0);
  feed.addEntries([entryOf('b', 5, { outcome: 'answered', reply: 'ok' })]);
  feed.addEntries([entryOf('a', 1, { outcome: 'timeout' }), entryOf('b', 5)]);
  expect(frame()).toMatchObject([
    { entry: { id: 'a' } },
    { entry: { id: 'b', outcome: 'answered' } },
    { text: 'line' },
  ]);
});

// Guarantee: cleared items do not come back with the next read of the history.
test('clearing stays', () => {
  const { feed, frame } = feedWithFrames();
  feed.addEntries([entryOf('a', 1)]);
  feed.clear();
  feed.addEntries([entryOf('a', 1, { outcome: 'answered' }), entryOf('c', 9)]);
  expect(frame()).toMatchObject([{ entry: { id: 'c' } }]);
  expect(feed.entry('a')?.outcome).toBe('answered');
});

// Guarantee: a gap is marked once, and only if something was shown before.
test('gaps', () => {
  const { feed, frame } = feedWithFrames();
  feed.addGap(at(0));
  expect(frame()).toEqual([]);
  feed.addLines([{ at: at(1), text: 'before' }], 0);
  feed.addGap(at(2));
  feed.addGap(at(3));
  expect(frame()).toMatchObject([{ text: 'before' }, { kind: 'gap' }]);
});

// Guarantee: a late result replaces the outcome that was shown, and an older list does not bring that back.
test('a revised end', () => {
  const { feed } = feedWithFrames();
  const unknown = entryOf('late', 1, { outcome: 'unknown' });
  const revised = entryOf('late', 1, { outcome: 'answered', revised: { from: 'unknown', at: at(9) } });
  feed.addEntries([entryOf('late', 1), unknown]);
  expect(feed.entry('late')?.outcome).toBe('unknown');
  feed.addEntries([revised, unknown]);
  expect(feed.entry('late')).toEqual(revised);
});

const textsOf = (items: readonly { readonly kind: string }[]) =>
  items.map((item) => ('text' in item ? item.text : 'entry' in item ? 'entry' : item.kind));
const linesOf = (...said: readonly (readonly [number, string])[]) =>
  said.map(([second, text]) => ({ at: at(second), text }));

// Guarantee: earlier lines come before the live ones, in the order of time with commands, and none of them twice.
test('earlier lines', () => {
  const { feed, frame } = feedWithFrames();
  feed.addEntries([entryOf('1', 5), entryOf('2', 12)]);
  feed.addLines(linesOf([10, 'c'], [11, 'd'], [12, 'e']), 0);
  // The game's machine has a different clock.
  feed.addEarlier(linesOf([1, 'a'], [6, 'b'], [40, 'c'], [41, 'd']));
  expect(textsOf(frame())).toEqual(['a', 'entry', 'b', 'entry', 'c', 'd', 'e']);
  feed.addEarlier(linesOf([0, 'again']));
  expect(textsOf(frame())).toHaveLength(7);
});

// Guarantee: equal lines are no overlap unless the live ones continue them, and without any live line all of them are shown.
test('earlier lines that repeat', () => {
  const { feed, frame } = feedWithFrames();
  feed.addEarlier(linesOf([1, 'x'], [2, 'x'], [3, 'y']));
  expect(textsOf(frame())).toEqual(['x', 'x', 'y']);
  const other = feedWithFrames();
  other.feed.addLines(linesOf([9, 'x']), 0);
  other.feed.addEarlier(linesOf([1, 'x'], [2, 'x'], [3, 'y']));
  expect(textsOf(other.frame())).toEqual(['x', 'x', 'y', 'x']);
});
