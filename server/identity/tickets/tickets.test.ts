import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Actor } from '../../kernel/access/actor.ts';
import { createTickets } from './tickets.ts';

const actor = (id: string): Actor => ({
  kind: 'admin',
  id,
  name: id,
  permissions: new Set(),
  serverPermissions: new Map(),
});
const from = (origin?: string, host = 'localhost:3001') =>
  ({ headers: { host, ...(origin === undefined ? {} : { origin }) } }) as IncomingMessage;

const start = () => {
  let nowMs = 0;
  const tickets = createTickets(() => nowMs);
  return {
    ...tickets,
    pass: (ms: number) => {
      nowMs += ms;
    },
    ticket: (id = 'a', origin?: string) => tickets.issue(actor(id), { host: 'panel.example:443', origin }),
  };
};

// Guarantee: a ticket opens one connection, for the actor it was issued to, within half a minute.
test('single use and time', () => {
  const { ticket, consume, pass } = start();
  const first = ticket();
  pass(29_999);
  expect(consume(first, from())?.id).toBe('a');
  expect(consume(first, from())).toBeNull();
  const second = ticket();
  pass(30_000);
  expect(consume(second, from())).toBeNull();
  const third = ticket();
  // Issued while the clock was ahead.
  pass(-86_400_000);
  expect(consume(third, from())).toBeNull();
  expect(consume('', from())).toBeNull();
});

// Guarantee: pages of other origins open nothing, even with a ticket, and use it up by trying.
test.each([
  ['a program that is no browser', undefined, true],
  ['our own page', 'http://localhost:3001', true],
  ['our own page behind a proxy that changes Host', 'https://panel.example', true],
  ['the desktop', 'castellan://panel', true],
  ['another site', 'https://evil.example', false],
  ['another port', 'http://localhost:3000', false],
  ['a look-alike', 'https://panel.example.evil.example', false],
  ['a file', 'null', false],
  ['another program of that kind', 'castellan://panel.evil', false],
])('%s', (_who, origin, isAllowed) => {
  const { ticket, consume } = start();
  const token = ticket();
  expect(consume(token, from(origin)) !== null).toBe(isAllowed);
  expect(consume(token, from())).toBeNull();
});

// Guarantee: behind a proxy that shows us another host, the page that the ticket was issued to opens the connection, and no other.
test.each([
  ['https://panel.example.com', true],
  ['https://panel.example.com:8443', false],
  ['http://panel.example.com', false],
  ['https://evil.example', false],
])('issued to https://panel.example.com, used by %s', (origin, isAllowed) => {
  const { ticket, consume } = start();
  const token = ticket('a', 'https://panel.example.com');
  expect(consume(token, from(origin, '127.0.0.1:3000')) !== null).toBe(isAllowed);
});

// Guarantee: a page that is reloaded many times, each time before its connection opens, gets a valid ticket; the oldest of
// its unused tickets end, and those of others stay.
test('many reloads', () => {
  const { ticket, consume } = start();
  const other = ticket('b');
  const [oldest = '', second = '', ...others] = Array.from({ length: 21 }, () => ticket());
  expect(consume(oldest, from())).toBeNull();
  for (const unused of [second, ...others]) expect(consume(unused, from())?.id).toBe('a');
  expect(consume(other, from())?.id).toBe('b');
});
