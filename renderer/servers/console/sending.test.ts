import { expect, test } from 'vitest';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import { type Sending, settle } from './sending.ts';

const entry = (id: string, command = 'list', actorId = '1'): ConsoleEntry => ({
  id,
  at: '2026-01-01T00:00:00.000Z',
  serverId: 'server',
  actor: { kind: 'admin', id: actorId, name: 'owner' },
  command,
  outcome: null,
  reply: null,
  truncated: false,
  durationMs: null,
  via: null,
  runId: id,
});
const sent = {
  command: 'list',
  serverIds: ['server'],
  by: { kind: 'admin', id: '1' },
  wasKnown: (id: string) => id === 'old',
  sentAtMs: 1000,
};
const unsure: Sending = { state: 'unsure', sent };

// Guarantee: a command counts as accepted only when its own entry is there: not an older one, another person's, or other words.
test.each([
  [[entry('new')], 'taken'],
  [[entry('old')], 'lost'],
  [[entry('new', 'list', '2')], 'lost'],
  [[entry('new', 'list uuids')], 'lost'],
  [[], 'lost'],
] as const)('%j', (entries, state) => {
  expect(settle(unsure, entries, 2000).state).toBe(state);
});

// Guarantee: a history that was read before the answer failed to come decides nothing.
test('an old reading', () => {
  expect(settle(unsure, [], 500).state).toBe('unsure');
  expect(settle({ state: 'asking', sent }, [], 2000).state).toBe('asking');
});
