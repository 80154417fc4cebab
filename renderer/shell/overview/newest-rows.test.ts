import { expect, test } from 'vitest';
import { withEvents } from './newest-rows.ts';

const event = (id: string, second: number) => ({
  id,
  at: new Date(second * 1000).toISOString(),
  kind: 'agent.stale',
  severity: 'warning' as const,
  serverId: null,
  payload: {},
});

// Guarantee: an event that arrives twice appears once, in the order of its time, and the list stays short.
test('events that come live', () => {
  const known = [event('c', 3), event('a', 1)];
  const idsOf = (rows: ReturnType<typeof withEvents>) => rows.map(({ id }) => id);
  expect(idsOf(withEvents(known, [event('b', 2), event('c', 3)], 10))).toEqual(['c', 'b', 'a']);
  expect(idsOf(withEvents(known, [event('d', 4)], 2))).toEqual(['d', 'c']);
  expect(withEvents(known, [event('a', 1)], 10)).toBe(known);
});
