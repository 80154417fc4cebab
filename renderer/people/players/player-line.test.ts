import { expect, test } from 'vitest';
import { onlineLines } from './player-line.ts';

const on = (serverId: string, playerId: string, name: string, platformId: string | null, hour: number) => ({
  serverId,
  playerId,
  name,
  platformId,
  joinedAt: `2026-01-01T0${hour}:00:00.000Z`,
});
const servers = [
  {
    serverId: 'a',
    players: [on('a', '1', 'Heron', 'steam:123', 1), on('a', '2', 'مرحبا <b>', null, 3)],
    source: 'agent' as const,
    asOf: null,
  },
  { serverId: 'b', players: [on('b', '3', 'HERON', 'eos:ab12', 2)], source: 'direct' as const, asOf: null },
  { serverId: 'c', players: null, source: null, asOf: null },
];
const games = [{ id: 'a', game: 'minecraft' as const }];
const ids = (text: string, serverId?: string) =>
  onlineLines(servers, games, { text, serverId }).map(({ id }) => id);

test('everybody who is on, the latest to come first', () => expect(ids('')).toEqual(['2', '3', '1']));

// Guarantee: players who are online are found by the same words as everyone else.
test('found by a part of the name, or by the whole platform id', () => {
  expect(ids('ero')).toEqual(['3', '1']);
  expect(ids('رح')).toEqual(['2']);
  expect(ids('EOS:AB12')).toEqual(['3']);
  expect(ids('123')).toEqual(['1']);
  expect(ids('12')).toEqual([]);
});

test('on one server alone', () => {
  expect(ids('heron', 'a')).toEqual(['1']);
  expect(ids('', 'c')).toEqual([]);
});

test('the game is that of the server, where that is known', () => {
  const lines = onlineLines(servers, games, { text: 'heron', serverId: undefined });
  expect(lines.map(({ game }) => game)).toEqual([null, 'minecraft']);
});
