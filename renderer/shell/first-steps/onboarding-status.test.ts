import { expect, test } from 'vitest';
import type { Member } from '#contracts/people/members.ts';
import type { Agent } from '#contracts/servers/agents.ts';
import type { Cluster } from '#contracts/servers/clusters.ts';
import type { ConsoleEntry } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import type { Delivery } from '#contracts/store/deliveries.ts';
import type { Product } from '#contracts/store/store.ts';
import { type OnboardingStatus, progressOf } from './onboarding-status.ts';

const nothing: OnboardingStatus = {
  hasOwner: true,
  clusters: [],
  servers: [],
  answered: null,
  agents: [],
  products: [],
  members: [],
  deliveries: [],
  delivered: null,
};
const unread: OnboardingStatus = {
  hasOwner: undefined,
  clusters: undefined,
  servers: undefined,
  answered: undefined,
  agents: undefined,
  products: undefined,
  members: undefined,
  deliveries: undefined,
  delivered: undefined,
};
const at = '2026-01-01T00:00:00.000Z';
const cluster = { id: 'c', name: 'C' } as Cluster;
const server = (state: 'online' | 'offline', answeredAt: string | null) =>
  ({ id: 's', status: { state, answeredAt } }) as GameServer;
const agent = (mode: Agent['mode'], stale: boolean, keyFingerprint: string | null) =>
  ({ serverId: 's', mode, stale, keyFingerprint }) as Agent;

const member = (balance: number) => ({ id: 'm', balance }) as Member;
const delivery = (points: number) => ({ id: 'd', points }) as Delivery;

test('an installation with nothing begins with a cluster', () => {
  expect(progressOf(nothing)).toMatchObject({ done: 1, next: 'cluster', isAllDone: false });
});

// Guarantee: a fact that is not known is neither ticked nor asked for.
test('what was not read is unknown', () => {
  expect(progressOf(unread)).toMatchObject({ done: 0, next: null, isAllDone: false });
  expect(new Set(progressOf(unread).states)).toEqual(new Set(['unknown']));
});

test('each step follows the one before', () => {
  const withCluster = { ...nothing, clusters: [cluster] };
  expect(progressOf(withCluster).next).toBe('server');
  const withServer = { ...withCluster, servers: [server('offline', null)] };
  expect(progressOf(withServer).next).toBe('online');
  const online = { ...withServer, servers: [server('online', at)] };
  expect(progressOf(online).next).toBe('command');
  const answered = { ...online, answered: { id: 'e' } as ConsoleEntry };
  expect(progressOf(answered).next).toBe('agent');
  expect(progressOf({ ...answered, agents: [agent(null, false, null)] }).next).toBe('agent');
  const withAgent = { ...answered, agents: [agent('polling', false, 'k')] };
  expect(progressOf(withAgent).next).toBe('product');
  const withProduct = { ...withAgent, products: [{ id: 'p' } as Product] };
  expect(progressOf(withProduct).next).toBe('points');
  expect(progressOf({ ...withProduct, members: [member(0)] }).next).toBe('points');
  const withPoints = { ...withProduct, members: [member(0), member(5)] };
  expect(progressOf(withPoints).next).toBe('delivery');
  const ordered = { ...withPoints, deliveries: [delivery(5)] };
  expect(progressOf(ordered).next).toBe('delivery');
  const all = { ...ordered, delivered: delivery(5) };
  expect(progressOf(all)).toMatchObject({ done: 9, next: null, isAllDone: true });
});

// Guarantee: a game that is off overnight loses no tick.
test('what was reached once stays reached', () => {
  const resting = { ...nothing, servers: [server('offline', at)], agents: [agent(null, true, 'k')] };
  expect(progressOf(resting).states.slice(0, 6)).toEqual(['done', 'open', 'done', 'done', 'open', 'done']);
  // Points that were spent were given.
  const spent = { ...nothing, members: [member(0)], deliveries: [delivery(5)] };
  expect(progressOf(spent).states.slice(6)).toEqual(['open', 'done', 'open']);
});
