import { expect, test } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
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
  // Bedrock, by Tebex (tebexio/Tebex-Minecraft#138) and as people write it.
  ['2535412345678901', 'minecraft', 'minecraft:00000000-0000-0000-0009-01f1b0392c35'],
  ['xbl:2535412345678901', 'minecraft', 'minecraft:00000000-0000-0000-0009-01f1b0392c35'],
  ['bedrock_2533274790395905', 'minecraft', 'minecraft:00000000-0000-0000-0009-000000000001'],
  ['00000000-0000-0000-0009-01F1B0392C35', 'minecraft', 'minecraft:00000000-0000-0000-0009-01f1b0392c35'],
  ['000901F1B0392C35', 'minecraft', 'minecraft:00000000-0000-0000-0009-01f1b0392c35'],
  ['000901F1B0392C35', 'palworld', 'gdk:2535412345678901'],
  ['000000000000000000090 1f1b0392c35', 'minecraft', null],
  ['1234567890123456', 'minecraft', null],
  // zaigie/palworld-server-tool#259
  ['gdk_2535412345678901', 'palworld', 'gdk:2535412345678901'],
  ['GDK:2535412345678901', 'palworld', 'gdk:2535412345678901'],
  ['2535412345678901', 'palworld', 'gdk:2535412345678901'],
  ['ps5_3141592653589793238', 'palworld', 'ps5:3141592653589793238'],
  ['mac_0002a1b2c3d4e5f60718293a4b5c6d7e', 'palworld', 'mac:0002a1b2c3d4e5f60718293a4b5c6d7e'],
  [`steam_${steam}`, 'palworld', `steam:${steam}`],
  // zaigie/palworld-server-tool#253, palserver-gui/palserver-gui#60
  ['ps5_4591469878499095569', 'palworld', 'ps5:4591469878499095569'],
  ['xbox_2535412345678901', 'palworld', 'gdk:2535412345678901'],
  ['XBL:2535412345678901', 'palworld', 'gdk:2535412345678901'],
  ['psn_4591469878499095569', 'palworld', 'ps5:4591469878499095569'],
  ['2535412345678901', 'seven-days-to-die', 'xbl:2535412345678901'],
  ['gdk_2535412345678901', 'seven-days-to-die', 'xbl:2535412345678901'],
  ['ps5_4591469878499095569', 'seven-days-to-die', 'psn:4591469878499095569'],
  ['XBL_123456abcdef', 'seven-days-to-die', 'xbl:123456abcdef'],
  ['steam-76561197999054170', 'palworld', 'steam:76561197999054170'],
  // The number of a character, which names no account.
  ['AF6D9A43000000000000000000000000', 'palworld', null],
  [bare, 'palworld', null],
  ['cool_guy', 'palworld', null],
  ['bob_2535', 'palworld', null],
  ['minecraft_123456789', 'palworld', null],
  ['XBL_2535412345678901', 'seven-days-to-die', 'xbl:2535412345678901'],
  [`EGS_${bare}`, 'seven-days-to-die', `egs:${bare}`],
  // developer.valvesoftware.com/wiki/SteamID
  ['STEAM_0:0:25224993', 'ark-se', `steam:${steam}`],
  ['STEAM_1:0:25224993', 'seven-days-to-die', `steam:${steam}`],
  ['[U:1:50449986]', 'ark-se', `steam:${steam}`],
  [`https://steamcommunity.com/profiles/${steam}/`, 'palworld', `steam:${steam}`],
  ['https://steamcommunity.com/id/bob', 'ark-se', null],
  ['STEAM_0:0:0', 'ark-se', null],
  ['[U:1:99999999999]', 'ark-se', null],
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
