import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { presentDraft, setDraft } from '../drafts.ts';
import type { Sending } from './sending.ts';
import { moveSending, presentSending } from './sending-store.ts';

const server = 'server';
const sent = {
  command: 'list',
  serverIds: [server],
  by: { kind: 'admin', id: '1' },
  wasKnown: () => false,
  sentAtMs: 0,
};
const taken = (): Sending => ({ state: 'taken', sent });

let person: string | null;
beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => person });
  return () => vi.unstubAllGlobals();
});
beforeEach(() => {
  person = 'one';
  moveSending(server, () => ({ state: 'asking', sent }));
  setDraft(server, 'list');
});

// Guarantee: if the same words are typed again while the first command is running, its reply does not remove them.
test('typed again', () => {
  moveSending(server, taken);
  expect(presentDraft(server)).toBe('');
  setDraft(server, 'list');
  moveSending(server, taken);
  expect(presentDraft(server)).toBe('list');
});

// Guarantee: a command that was not accepted stays typed, and so does any text typed since.
test('what stays typed', () => {
  moveSending(server, () => ({ state: 'unsure', sent }));
  expect(presentDraft(server)).toBe('list');
  setDraft(server, 'list uuids');
  moveSending(server, taken);
  expect(presentDraft(server)).toBe('list uuids');
  expect(presentSending(server)?.state).toBe('taken');
});

// Guarantee: no one sees the text that another person has typed.
test('another person', () => {
  person = 'two';
  expect(presentDraft(server)).toBe('');
  setDraft('elsewhere', 'x');
  person = 'one';
  expect(presentDraft(server)).toBe('');
});
