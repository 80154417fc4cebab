import { expect, test } from 'vitest';
import { componentStates } from '#contracts/operations/stack.ts';
import { partProgress } from './part-progress.ts';

const part = <const Name extends string, const State extends string>(name: Name, state: State) => ({
  name,
  state,
});

// Guarantee: while everything starts, each component says what it waits for, and waits for nothing that is already there.
test('what a part waits for', () => {
  const starting = [part('postgres', 'starting'), part('api', 'stopped'), part('bot', 'stopped')];
  expect(starting.map((one) => partProgress(one, starting))).toEqual([
    { says: 'starting' },
    { says: 'waits', for: 'postgres' },
    { says: 'waits', for: 'api' },
  ]);
  const later = [part('postgres', 'running'), part('api', 'stopped'), part('bot', 'stopped')];
  expect(later.map((one) => partProgress(one, later))).toEqual([
    { says: 'running' },
    { says: 'next' },
    { says: 'waits', for: 'api' },
  ]);
});

// Guarantee: a component in trouble is never shown as waiting.
test('trouble is told as such', () => {
  for (const state of componentStates) {
    const { says } = partProgress(part('bot', state), [part('api', 'failed')]);
    expect(says === 'waits').toBe(state === 'stopped');
  }
});
