import { expect, test } from 'vitest';
import type { ServerPlayers } from '#contracts/people/players.ts';
import { mergePlayers, placesOf, whereaboutsOf, whereIs } from './online-players.ts';

const joinedAt = '2026-01-01T00:00:00.000Z';
const server = (serverId: string, ids: readonly string[] | null): ServerPlayers => ({
  serverId,
  players:
    ids?.map((playerId) => ({ serverId, playerId, name: 'Heron', platformId: null, joinedAt })) ?? null,
  source: 'direct',
  asOf: joinedAt,
});

// Guarantee: an update about one server changes nothing that is known about another.
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

// Guarantee: a player who was on a server that cannot be asked is shown neither as online nor as offline.
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

// Guarantee: a member is offline only when none of their players could be on a server with unknown players.
test('a person of several players', () => {
  const away = { state: 'away' } as const;
  const unknown = { state: 'unknown', serverId: 'b', asOf: null } as const;
  const on = (serverId: string) => ({
    state: 'on' as const,
    places: [{ serverId, joinedAt: '2026-01-01T00:00:00.000Z' }],
  });
  expect(whereaboutsOf([away, away])).toEqual(away);
  expect(whereaboutsOf([away, unknown])).toEqual(unknown);
  expect(whereaboutsOf([unknown, on('a'), on('c')])).toMatchObject({
    state: 'on',
    places: [{ serverId: 'a' }, { serverId: 'c' }],
  });
  expect(whereaboutsOf([])).toEqual(away);
});
