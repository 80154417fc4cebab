import { expect, test } from 'vitest';
import type { Agent } from '#contracts/servers/agents.ts';
import { agentState, agentWarnings } from './agent-state.ts';

const none: Agent = {
  serverId: 'a',
  serverName: 'A',
  game: 'minecraft',
  mode: null,
  stale: false,
  lastSeenAt: null,
  connectedAt: null,
  state: null,
  detail: null,
  version: null,
  offeredVersion: null,
  renewal: null,
  address: null,
  encrypted: null,
  keyFingerprint: null,
  pinnedAt: null,
  clockSkewSeconds: null,
  waitingCommands: 0,
  lastRefusal: null,
};
const at = '2026-01-01T00:00:00.000Z';
const pinned: Agent = { ...none, keyFingerprint: 'abc', pinnedAt: at, lastSeenAt: at };
const connected: Agent = {
  ...pinned,
  mode: 'websocket',
  connectedAt: at,
  address: '10.0.0.7',
  encrypted: true,
};
const lastRefusal = { at, code: 'AGENT_PROOF_WRONG', detail: '', address: '10.0.0.7' };

// Guarantee: an agent counts as connected only while it reports.
test.each([
  ['none', none],
  ['refused', { ...none, lastRefusal }],
  ['refused', { ...pinned, stale: true, lastRefusal }],
  ['away', pinned],
  ['silent', { ...pinned, stale: true }],
  ['silent', { ...connected, stale: true }],
  ['connected', connected],
  ['connected', { ...connected, lastRefusal }],
] as const)('%s', (state, agent) => expect(agentState(agent)).toBe(state));

// Guarantee: unencrypted traffic over a network is always mentioned.
test.each([
  ['10.0.0.7', ['plain']],
  ['127.0.0.1', []],
  ['::1', []],
  ['::ffff:127.0.0.1', []],
  ['127.evil.example', ['plain']],
  [null, ['plain']],
] as const)('plain from %s', (address, warnings) =>
  expect(agentWarnings({ ...connected, address, encrypted: false })).toEqual(warnings),
);

test('a clock that is off by more than half a minute, either way', () => {
  expect(agentWarnings({ ...connected, clockSkewSeconds: 30 })).toEqual([]);
  expect(agentWarnings({ ...connected, clockSkewSeconds: 30.5 })).toEqual(['clock']);
  expect(agentWarnings({ ...connected, clockSkewSeconds: -3600 })).toEqual(['clock']);
});

test('commands that wait for somebody who is not there', () => {
  expect(agentWarnings({ ...connected, waitingCommands: 2 })).toEqual([]);
  expect(agentWarnings({ ...pinned, waitingCommands: 2 })).toEqual(['waiting']);
});
