import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Actor } from '../access/actor.ts';
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
    ticket: (id = 'a') => tickets.issue(actor(id), 'panel.example') ?? '',
  };
};

// Guarantee: a ticket opens one connection, for whom it was made, within half a minute.
test('single use and time', () => {
  const { ticket, consume, pass } = start();
  const first = ticket();
  pass(29_999);
  expect(consume(first, from())?.id).toBe('a');
  expect(consume(first, from())).toBeNull();
  const second = ticket();
  pass(30_000);
  expect(consume(second, from())).toBeNull();
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

// Guarantee: whoever hoards tickets runs out of them, and takes none from others.
test('a hoarder', () => {
  const { ticket, consume, pass, issue } = start();
  const other = ticket('b');
  for (let count = 0; count < 20; count += 1) expect(issue(actor('a'), 'h')).not.toBeNull();
  expect(issue(actor('a'), 'h')).toBeNull();
  expect(consume(other, from())?.id).toBe('b');
  pass(30_000);
  expect(issue(actor('a'), 'h')).not.toBeNull();
});
