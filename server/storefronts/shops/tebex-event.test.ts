import { expect, test } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
import { readTebexEvent } from './tebex-event.ts';
import { tebexPayment } from './testing/documented-events.ts';

const receiverOf = (username: unknown, game: GameId = 'minecraft') => {
  const payment = tebexPayment('payment.completed', 'tbx-1', [{ id: 42, quantity: 1, username: null }]);
  const customer = { ...payment.subject.customer, username };
  return readTebexEvent({ ...payment, subject: { ...payment.subject, customer } }, game).event.facts.receiver;
};

const java = '069a79f444e94726a5befca90e38aaf5';
const floodgate = '0000000000000000000901f1b0392c35';
// Its 13th digit is a 3, as of a UUID that is a hash.
const epic = '00023f168ede3136a17c954ec0b9245d';
const epicInConsole = 'EOS_0002a1b2c3d4e5f60718293a4b5c6d7e';

// Guarantee: in each kind of store, the buyer is named by an id that belongs to someone in that game, or else by name; never by an
// id that is only a hash of the name, is no one's, has lost digits, or is the store's own.
test.each<[string, unknown, 'id' | 'name', string, GameId?]>([
  ['Java', { id: java, username: 'Notch' }, 'id', java],
  // tebexio/Tebex-Minecraft#138
  ['Bedrock', { id: '2535412345678901', username: 'Cool Guy' }, 'id', '2535412345678901'],
  ['Bedrock, as a number', { id: 2535412345678901, username: 'Cool Guy' }, 'id', '2535412345678901'],
  ['Floodgate', { id: floodgate, username: '.Cool_Guy' }, 'id', floodgate],
  // plan-player-analytics/Plan#3728
  [
    'Geyser and offline',
    { id: '43f296ecd69f3673840d66990de6b49e', username: '.Peachy_Keen19' },
    'name',
    '.Peachy_Keen19',
  ],
  ['offline, with hyphens', { id: '43f296ec-d69f-3673-840d-66990de6b49e', username: 'Bob' }, 'name', 'Bob'],
  // tebexio/Tebex-Minecraft#113: a hash without the marks of a version
  ['offline, bare', { id: '4723149c972ec9c4990846153ef4e0fb', username: 'Leorado' }, 'name', 'Leorado'],
  ['offline, version 5', { id: '43f296ec-d69f-5673-840d-66990de6b49e', username: 'Bob' }, 'name', 'Bob'],
  // tebexio/Tebex-Minecraft#162: the name in place of an id
  ['a name as the id', { id: 'Bob', username: 'Bob' }, 'name', 'Bob'],
  ['the word null', { id: 'null', username: 'Bob' }, 'name', 'Bob'],
  ['no id', { id: null, username: 'Bob' }, 'name', 'Bob'],
  ['nil', { id: '00000000-0000-0000-0000-000000000000', username: 'Bob' }, 'name', 'Bob'],
  ['nil, bare', { id: '0'.repeat(32), username: 'Bob' }, 'name', 'Bob'],
  ['zero', { id: 0, username: 'Bob' }, 'name', 'Bob'],
  ['Steam', { id: '76561198010715714', username: 'Bob' }, 'id', '76561198010715714'],
  ['Steam, as a number', { id: Number('76561198010715714'), username: 'Bob' }, 'name', 'Bob', 'ark-se'],
  ['Epic', { id: epicInConsole, username: 'Bob' }, 'id', epicInConsole, 'seven-days-to-die'],
  ['Ascended', { id: epic, username: 'Bob' }, 'id', epic, 'ark-asa'],
  ['Evolved by Epic', { id: epic, username: 'Bob' }, 'id', epic, 'ark-se'],
  ['Ascended, nil', { id: '0'.repeat(32), username: 'Bob' }, 'name', 'Bob', 'ark-asa'],
  [
    '7 Days',
    { id: 'Steam_76561198010715714', username: 'B' },
    'id',
    'Steam_76561198010715714',
    'seven-days-to-die',
  ],
  [
    '7 Days, Xbox',
    { id: 'XBL_2535412345678901', username: 'B' },
    'id',
    'XBL_2535412345678901',
    'seven-days-to-die',
  ],
  ['Palworld', { id: 'gdk_2535412345678901', username: 'Bob' }, 'id', 'gdk_2535412345678901', 'palworld'],
  [
    'Palworld, PlayStation',
    { id: 'ps5_4591469878499095569', username: 'B' },
    'id',
    'ps5_4591469878499095569',
    'palworld',
  ],
  [
    'Palworld, a character',
    { id: 'AF6D9A43000000000000000000000000', username: 'B' },
    'name',
    'B',
    'palworld',
  ],
  ['a shop account', { id: '41', username: 'Bob' }, 'name', 'Bob'],
  ['a name alone', 'Bob', 'name', 'Bob'],
  ['another game', { id: 'fivem:1234567', username: 'Bob' }, 'name', 'Bob'],
])('a buyer: %s', (_store, username, kind, text, game = 'minecraft') => {
  expect(receiverOf(username, game)).toEqual({ kind, text, game: null });
});

test.each([null, undefined, [], { id: '', username: '' }, { id: null, username: null }])(
  'no buyer: %j',
  (username) => {
    expect(receiverOf(username)).toBeNull();
  },
);
