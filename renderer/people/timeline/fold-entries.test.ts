import { expect, test } from 'vitest';
import type { TimelineEntry } from '#contracts/people/timelines.ts';
import { foldEntries } from './fold-entries.ts';
import { compareEntries } from './use-timeline.ts';

const at = '2026-05-01T12:00:00.000Z';
const left = { type: 'left', id: '0-1', at, serverId: 's', playerId: 'p', playedSeconds: 60 } as const;
const joined = { type: 'joined', id: '1-1', at, serverId: 's', playerId: 'p', isFirst: false } as const;
const said = { type: 'said', id: '2-1', at, serverId: 's', playerId: 'p', text: 'hi' } as const;
const delivery = (id: string, orderId = 'o'): TimelineEntry => ({
  type: 'delivery',
  id,
  at,
  deliveryId: id,
  orderId,
  productName: 'Kit',
  state: 'delivered',
  certainty: 'proven',
  serverId: 's',
});
const typesOf = (entries: readonly TimelineEntry[]) => foldEntries(entries).map(({ type }) => type);

// Guarantee: folding leaves out nothing that happened, and only entries that mean one thing become one line.
test('visits', () => {
  expect(typesOf([left, joined])).toEqual(['visit']);
  expect(typesOf([left, said, joined])).toEqual(['left', 'said', 'joined']);
  expect(typesOf([left, { ...joined, serverId: 'other' }])).toEqual(['left', 'joined']);
  expect(typesOf([left, { ...joined, playerId: 'other' }])).toEqual(['left', 'joined']);
  expect(typesOf([left, { ...joined, isFirst: true }])).toEqual(['left', 'joined']);
  expect(typesOf([joined, left])).toEqual(['joined', 'left']);
  expect(typesOf([])).toEqual([]);
});

test('parts of an order', () => {
  const folded = foldEntries([delivery('7-3'), delivery('7-2'), delivery('7-1'), delivery('7-0', 'another')]);
  expect(folded).toMatchObject([{ id: '7-3', parts: 3 }, { id: '7-0' }]);
});

// Guarantee: live rows are in the same place where the API puts them.
test('one order', () => {
  const rows = [
    { id: '0-10', at },
    { id: '2-9', at },
    { id: '2-10', at },
    { id: '0-1', at: '2026-05-01T12:00:00.001Z' },
  ];
  expect(rows.toSorted(compareEntries).map(({ id }) => id)).toEqual(['0-1', '2-10', '2-9', '0-10']);
});
