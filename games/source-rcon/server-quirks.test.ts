import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Secret } from '#runtime/secret.ts';
import {
  createFrameSizes,
  createHabitsMemory,
  endsByItsSize,
  fenceHabit,
  learnClosing,
  learnCut,
  learnFence,
} from './server-quirks.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const quirksOfOne = () => createHabitsMemory()({ host: 'game', port: 1, password: new Secret('') });
const hourMs = 3_600_000;

// Guarantee: a game that dies with a fence pending does not count as one that closes because of it, unless it does so twice in a row.
test('a fence that was answered before', () => {
  const quirks = quirksOfOne();
  learnFence(quirks, 'odd type', 'answered');
  for (let deaths = 0; deaths < 3; deaths += 1) {
    learnClosing(quirks, 'odd type');
    expect(fenceHabit(quirks, 'odd type')).toBe('answered, then closed');
    learnFence(quirks, 'odd type', 'answered');
  }
  learnClosing(quirks, 'odd type');
  learnClosing(quirks, 'odd type');
  expect(fenceHabit(quirks, 'odd type')).toBe('closes');
});

// Guarantee: a verdict against a fence lasts for an hour, even after a single try.
test.each(['ignored', 'closes'] as const)('a fence that was %s', (habit) => {
  const quirks = quirksOfOne();
  if (habit === 'ignored') learnFence(quirks, 'command', habit);
  else learnClosing(quirks, 'command');
  vi.advanceTimersByTime(hourMs - 1);
  expect(fenceHabit(quirks, 'command')).toBe(habit);
  vi.advanceTimersByTime(1);
  expect(fenceHabit(quirks, 'command')).toBe('untried');
});

// Guarantee: the cut of a server is the common size of its full frames, in bytes or characters; different sizes show none.
test.each<[string, string[], { bytes: number | null; characters: number | null } | null, boolean]>([
  ['one full frame', ['aaaa', 'b'], null, false],
  ['bytes', ['aaaaaa', 'äaaaa', 'b'], { bytes: 6, characters: null }, true],
  ['characters', ['aaaaaa', 'äaaaaa', 'b'], { bytes: null, characters: 6 }, true],
  ['both', ['aaaaaa', 'aaaaaa', 'aaa'], { bytes: 6, characters: 6 }, false],
  ['neither', ['aaaaaa', 'aaaaa', 'aaaaaa', 'aaaaaa', ''], null, false],
])('the cut: %s', (_name, bodies, cut, isOver) => {
  const quirks = quirksOfOne();
  const frames = createFrameSizes();
  for (const body of bodies) frames.add(Buffer.from(body));
  expect(frames.cut()).toEqual(cut);
  expect(endsByItsSize(quirks, frames)).toBe(isOver);
  learnCut(quirks, frames);
  expect(quirks.cut).toEqual(cut);
});
