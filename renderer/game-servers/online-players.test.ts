import { expect, test } from 'vitest';
import type { ServerPlayers } from '#contracts/players.ts';
import { mergePlayers, placesOf, whereIs } from './online-players.ts';

const joinedAt = '2026-01-01T00:00:00.000Z';
const server = (serverId: string, ids: readonly string[] | null): ServerPlayers => ({
  serverId,
  players:
    ids?.map((playerId) => ({ serverId, playerId, name: 'Heron', platformId: null, joinedAt })) ?? null,
  source: 'direct',
  asOf: joinedAt,
});

// Guarantee: news of one server change nothing that is known of another.
test('news take the place of what was known of their servers alone', () => {
  const merged = mergePlayers([server('a', ['1']), server('b', ['2'])], [server('b', [])], false);
  expect(merged).toEqual([server('a', ['1']), server('b', [])]);
});

test('a whole list leaves nothing of the one before', () => {
  expect(mergePlayers([server('a', ['1'])], [server('b', ['2'])], true)).toEqual([server('b', ['2'])]);
});

test('somebody can be on two servers', () => {
  const places = placesOf([server('a', ['1']), server('b', ['1', '2']), server('c', null)]);
  expect(places.get('1')).toEqual([
    { serverId: 'a', joinedAt },
    { serverId: 'b', joinedAt },
  ]);
  expect(places.get('3')).toBeUndefined();
});

// Guarantee: whoever was on a server that cannot be asked is neither on it nor away.
test('whereabouts are unknown where the list is', () => {
  const servers = [server('a', null), server('b', [])];
  const places = placesOf(servers);
  expect(whereIs({ id: '1', onlineOn: 'a' }, servers, places)).toEqual({
    state: 'unknown',
    serverId: 'a',
    asOf: joinedAt,
  });
  expect(whereIs({ id: '1', onlineOn: 'b' }, servers, places)).toEqual({ state: 'away' });
  expect(whereIs({ id: '1', onlineOn: null }, servers, places)).toEqual({ state: 'away' });
  expect(whereIs({ id: '1', onlineOn: 'b' }, null, new Map()).state).toBe('unknown');
});

test('what is told now counts more than what was read before', () => {
  const servers = [server('a', ['1'])];
  expect(whereIs({ id: '1', onlineOn: null }, servers, placesOf(servers)).state).toBe('on');
});
