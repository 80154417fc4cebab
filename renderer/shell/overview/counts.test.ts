import { expect, test } from 'vitest';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { countAgents, countOfDay, countServers, peakWith } from './counts.ts';

const server = (state: GameServer['status']['state'], players: number | null) => ({
  status: {
    state,
    players,
    detail: null,
    outcome: null,
    via: null,
    since: null,
    answeredAt: null,
    agentMode: null,
    shown: state,
    process: null,
  },
});

// Guarantee: players that have not been counted are unknown, not zero.
test('the count of players', () => {
  expect(countServers([])).toMatchObject({ total: 0, players: null });
  expect(countServers([server('online', null), server('offline', null)])).toMatchObject({
    online: 1,
    offline: 1,
    players: null,
    uncounted: 1,
  });
  expect(countServers([server('online', 0), server('online', 3), server('unknown', null)])).toMatchObject({
    online: 2,
    unknown: 1,
    players: 3,
    uncounted: 0,
  });
});

// Guarantee: a silent agent is not connected, and a server without an agent counts nowhere.
test('the count of agents', () => {
  const never = { mode: null, stale: false, lastSeenAt: null, pinnedAt: null };
  const there = { ...never, mode: 'websocket', lastSeenAt: '2026-05-04T12:00:00Z' } as const;
  expect(countAgents([never, there, { ...there, stale: true }])).toEqual({
    connected: 1,
    stale: 1,
    total: 2,
  });
});

// Guarantee: a count that may be too small says so.
test('the alerts of a day', () => {
  const now = Date.parse('2026-05-04T12:00:00Z');
  const rows = [{ at: '2026-05-04T11:00:00Z' }, { at: '2026-05-03T11:00:00Z' }];
  expect(countOfDay(rows, now, true)).toEqual({ count: 1, isMore: false });
  expect(countOfDay(rows.slice(0, 1), now, true)).toEqual({ count: 1, isMore: true });
  expect(countOfDay([], now, false)).toEqual({ count: 0, isMore: false });
});

// Guarantee: a peak is never below now.
test('the peak of the players', () => {
  expect(peakWith(3, 5)).toBe(5);
  expect(peakWith(5, 3)).toBe(5);
  expect(peakWith(5, null)).toBe(5);
});
