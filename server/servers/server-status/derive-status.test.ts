import { expect, test } from 'vitest';
import type { LinkState } from '#games/link/reconnecting-console.ts';
import { deriveStatus, type StatusFacts } from './derive-status.ts';

const nowMs = 1_800_000_000_000;
const ago = (seconds: number) => new Date(nowMs - seconds * 1000);
const facts = (more: Partial<StatusFacts> = {}): StatusFacts => ({
  nowMs,
  agent: null,
  isAgentPresent: false,
  isAgentKnown: false,
  link: null,
  hasAddress: false,
  ...more,
});
const ready: LinkState = { status: 'ready', since: ago(3600), failure: null, nextTryAt: null };
const linked = (answeredAt: Date | null, state: Partial<LinkState> = {}, isSilent = false) =>
  deriveStatus(facts({ hasAddress: true, link: { state: { ...ready, ...state }, answeredAt, isSilent } }));
const said = (mode: 'websocket' | 'polling', seconds: number, state: 'online' | 'offline' = 'online') =>
  deriveStatus(
    facts({
      isAgentPresent: true,
      isAgentKnown: true,
      agent: {
        mode,
        seenAtMs: ago(seconds).getTime(),
        state,
        detail: state === 'online' ? null : 'crashed',
      },
      // Ignored while the agent is present.
      link: { state: ready, answeredAt: ago(0), isSilent: false },
    }),
  );

// Guarantee: a server is online only while the game has responded within two and a half intervals.
test('proof', () => {
  expect(linked(ago(74))).toMatchObject({
    state: 'online',
    via: 'direct',
    outcome: 'answered',
    detail: null,
  });
  expect(linked(ago(76))).toMatchObject({ state: 'unknown', detail: expect.any(String) });
  expect(linked(ago(-5000))).toMatchObject({ state: 'online' });
  expect(said('websocket', 12)).toMatchObject({ state: 'online', via: 'agent', agentMode: 'websocket' });
  expect(said('websocket', 13)).toMatchObject({ state: 'unknown' });
  expect(said('polling', 149)).toMatchObject({ state: 'online', agentMode: 'polling' });
  expect(said('polling', 151)).toMatchObject({ state: 'unknown' });
  expect(said('websocket', 1, 'offline')).toMatchObject({
    state: 'offline',
    detail: 'crashed',
    via: 'agent',
  });
});

// Guarantee: a server that responds with an unreadable list is online, with the reason why its players are unknown.
test('an unreadable list', () => {
  const link = { state: ready, answeredAt: ago(1), isSilent: false };
  const listComplaint = 'This is not the list of players. The game answered: Online: Steve';
  expect(deriveStatus(facts({ link, listComplaint }))).toMatchObject({
    state: 'online',
    detail: listComplaint,
  });
});

// Guarantee: evidence against it counts immediately, with its reason.
test('failures', () => {
  const failure = { outcome: 'connection refused', detail: 'Nothing listens.' } as const;
  expect(linked(ago(1), { status: 'waiting', failure })).toMatchObject({
    state: 'offline',
    outcome: 'connection refused',
    detail: 'Nothing listens.',
    via: 'direct',
  });
  const starting = { outcome: 'not ready', detail: 'It may still be starting.' } as const;
  expect(linked(null, { status: 'waiting', failure: starting })).toMatchObject({ state: 'starting' });
  expect(linked(ago(1), {}, true)).toMatchObject({ state: 'offline', outcome: 'timeout' });
  expect(linked(null, { status: 'connecting' })).toMatchObject({ state: 'unknown', detail: 'Connecting.' });
});

// Guarantee: when no source can tell, the status says so, and never that the game is down.
test('no way', () => {
  expect(deriveStatus(facts())).toMatchObject({ state: 'unknown', via: null, outcome: null });
  expect(deriveStatus(facts({ isAgentKnown: true }))).toMatchObject({
    state: 'unknown',
    outcome: 'agent away',
  });
  expect(deriveStatus(facts({ hasAddress: true }))).toMatchObject({
    state: 'unknown',
    detail: 'Connecting.',
  });
});
