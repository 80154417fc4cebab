import { expect, test } from 'vitest';
import { readTebexEvent } from './tebex-event.ts';
import { tebexPayment } from './testing/documented-events.ts';

const receiverOf = (username: unknown) => {
  const payment = tebexPayment('payment.completed', 'tbx-1', [{ id: 42, quantity: 1, username: null }]);
  const customer = { ...payment.subject.customer, username };
  return readTebexEvent({ ...payment, subject: { ...payment.subject, customer } }).event.facts.receiver;
};

// Guarantee: in each kind of store, the buyer is named by an id that belongs to someone, or else by name; never by an id that
// is only a hash of the name, is no one's, or has lost digits.
test.each([
  [
    'Java',
    { id: '069a79f444e94726a5befca90e38aaf5', username: 'Notch' },
    'id',
    '069a79f444e94726a5befca90e38aaf5',
  ],
  // tebexio/Tebex-Minecraft#138
  ['Bedrock', { id: '2535412345678901', username: 'Cool Guy' }, 'id', '2535412345678901'],
  ['Bedrock, as a number', { id: 2535412345678901, username: 'Cool Guy' }, 'id', '2535412345678901'],
  [
    'Floodgate',
    { id: '0000000000000000000901f1b0392c35', username: '.Cool_Guy' },
    'id',
    '0000000000000000000901f1b0392c35',
  ],
  // plan-player-analytics/Plan#3728
  [
    'Geyser and offline',
    { id: '43f296ecd69f3673840d66990de6b49e', username: '.Peachy_Keen19' },
    'name',
    '.Peachy_Keen19',
  ],
  ['offline, with hyphens', { id: '43f296ec-d69f-3673-840d-66990de6b49e', username: 'Bob' }, 'name', 'Bob'],
  ['no id', { id: null, username: 'Bob' }, 'name', 'Bob'],
  ['nil', { id: '00000000-0000-0000-0000-000000000000', username: 'Bob' }, 'name', 'Bob'],
  ['zero', { id: 0, username: 'Bob' }, 'name', 'Bob'],
  ['Steam', { id: '76561198010715714', username: 'Bob' }, 'id', '76561198010715714'],
  ['Steam, as a number', { id: Number('76561198010715714'), username: 'Bob' }, 'name', 'Bob'],
  [
    'Epic',
    { id: 'EOS_0002a1b2c3d4e5f60718293a4b5c6d7e', username: 'Bob' },
    'id',
    'EOS_0002a1b2c3d4e5f60718293a4b5c6d7e',
  ],
  ['Palworld', { id: 'gdk_2535412345678901', username: 'Bob' }, 'id', 'gdk_2535412345678901'],
  ['a shop account', { id: '41', username: 'Bob' }, 'name', 'Bob'],
])('a buyer: %s', (_store, username, kind, text) => {
  expect(receiverOf(username)).toEqual({ kind, text, game: null });
});

test.each([null, undefined, { id: '', username: '' }, { id: null, username: null }])(
  'no buyer: %j',
  (username) => {
    expect(receiverOf(username)).toBeNull();
  },
);
