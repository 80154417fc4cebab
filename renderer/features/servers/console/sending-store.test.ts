import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { presentDraft, setDraft } from './drafts.ts';
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

// Guarantee: the same words typed again while the first command still runs are not taken away when its answer comes.
test('typed again', () => {
  moveSending(server, taken);
  expect(presentDraft(server)).toBe('');
  setDraft(server, 'list');
  moveSending(server, taken);
  expect(presentDraft(server)).toBe('list');
});

// Guarantee: what was not taken stays typed, and so does what has been typed since.
test('what stays typed', () => {
  moveSending(server, () => ({ state: 'unsure', sent }));
  expect(presentDraft(server)).toBe('list');
  setDraft(server, 'list uuids');
  moveSending(server, taken);
  expect(presentDraft(server)).toBe('list uuids');
  expect(presentSending(server)?.state).toBe('taken');
});

// Guarantee: nobody finds what another person has typed.
test('another person', () => {
  person = 'two';
  expect(presentDraft(server)).toBe('');
  setDraft('elsewhere', 'x');
  person = 'one';
  expect(presentDraft(server)).toBe('');
});
