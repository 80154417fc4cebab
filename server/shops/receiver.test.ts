import { expect, test } from 'vitest';
import type { GameId } from '#contracts/games.ts';
import { parsePlatformId, wantedReceiver } from './receiver.ts';

const uuid = '069a79f4-44e9-4726-a5be-fca90e38aaf5';
const bare = '069a79f444e94726a5befca90e38aaf5';
const steam = '76561198010715714';

// Guarantee: an id is recognized in the players' format, in each form that shops write, and nothing else counts as one.
test.each<[string, GameId, string | null]>([
  [uuid, 'minecraft', `minecraft:${uuid}`],
  [bare.toUpperCase(), 'minecraft', `minecraft:${uuid}`],
  [`minecraft_${bare}`, 'ark-se', `minecraft:${uuid}`],
  [bare, 'ark-asa', `eos:${bare}`],
  [steam, 'minecraft', `steam:${steam}`],
  [`Steam_${steam}`, 'seven-days-to-die', `steam:${steam}`],
  [`steam:${steam}`, 'ark-se', `steam:${steam}`],
  [`EOS_${bare}`, 'seven-days-to-die', `eos:${bare}`],
  ['xbl:a-B', 'seven-days-to-die', 'xbl:a-B'],
  ['steam_bob', 'minecraft', null],
  ['Notch', 'minecraft', null],
  [`${steam}0`, 'ark-se', null],
  ['', 'minecraft', null],
])('%s in %s', (text, game, expected) => {
  expect(parsePlatformId(text, game)).toBe(expected);
});

// Guarantee: what a person typed is a member's number or an id only if it has that form; anything else is a name.
test('what a person typed', () => {
  const of = (text: string) => wantedReceiver({ kind: 'text', text, game: null }, 'minecraft');
  expect(of('member-17')).toEqual({ kind: 'member', id: '17' });
  expect(of('17')).toEqual({ kind: 'name', game: 'minecraft', key: '17' });
  expect(of(bare)).toEqual({ kind: 'platform', id: `minecraft:${uuid}` });
  expect(of('name-NOTCH')).toEqual({ kind: 'name', game: 'minecraft', key: 'notch' });
  expect(of('Notch')).toEqual({ kind: 'name', game: 'minecraft', key: 'notch' });
  expect(of('\u200b')).toEqual({ kind: 'unknown' });
});

// Guarantee: a text declared as an id is never treated as a name, nor a name as an id.
test('what the shop says it is', () => {
  expect(wantedReceiver({ kind: 'id', text: 'Notch', game: null }, 'minecraft')).toEqual({ kind: 'unknown' });
  expect(wantedReceiver({ kind: 'name', text: steam, game: 'ark-se' }, 'minecraft')).toEqual({
    kind: 'name',
    game: 'ark-se',
    key: steam,
  });
  expect(wantedReceiver({ kind: 'name', text: 'member-17', game: null }, 'minecraft')).toMatchObject({
    kind: 'name',
  });
  expect(wantedReceiver({ kind: 'member', text: 'x', game: null }, 'minecraft')).toEqual({ kind: 'unknown' });
});
