import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import type { StatusFacts } from './derive-status.ts';
import { createServerStatuses, type ServerStatuses } from './server-status.ts';

let statuses: ServerStatuses;
let nowMs: number;
let answeredAt: Date | null;
let players: number | null;
let inUse: string[];
let earlier: ReadonlyMap<string, string>;
const sweepMs = 1000;

const factsOf = (): StatusFacts => ({
  nowMs,
  agent: null,
  isAgentPresent: false,
  isAgentKnown: false,
  link: {
    state: { status: 'ready', since: new Date(0), failure: null, nextTryAt: null },
    answeredAt,
    isSilent: false,
  },
  hasAddress: true,
});

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 1_800_000_000_000;
  answeredAt = null;
  players = 3;
  inUse = ['s'];
  earlier = new Map();
  statuses = createServerStatuses({
    servers: { get: (id) => (inUse.includes(id) ? {} : null), all: () => inUse.map((id) => ({ id })) },
    factsOf,
    processOf: (id) => {
      if (id === 'broken') throw new Error('it cannot be told');
      return null;
    },
    playersOn: () => players,
    beginnings: {
      earlier: (subject, state) => earlier.get(`${subject} ${state}`) ?? null,
      note: () => undefined,
    },
    log: silentLog,
    sweepMs,
  });
  statuses.begin();
});
afterEach(() => {
  statuses[Symbol.dispose]();
  vi.useRealTimers();
});

const pass = (ms: number) => {
  nowMs += ms;
  vi.advanceTimersByTime(sweepMs);
};
const numberOf = () => statuses.all().get('s')?.number;

// Guarantee: a status is new when something in it changes, not because the game responded once more.
test('what counts as a change', () => {
  pass(1000);
  const unknown = numberOf();
  expect(statuses.read('s')).toMatchObject({ state: 'unknown', players: null, answeredAt: null });
  answeredAt = new Date(nowMs);
  pass(1000);
  const online = numberOf();
  expect(online).not.toBe(unknown);
  const since = new Date(nowMs).toISOString();
  expect(statuses.read('s')).toMatchObject({ state: 'online', players: 3, since });
  pass(30_000);
  answeredAt = new Date(nowMs);
  pass(1000);
  expect(numberOf()).toBe(online);
  expect(statuses.read('s')).toMatchObject({ since, answeredAt: answeredAt.toISOString() });
  players = 4;
  pass(1000);
  expect(numberOf()).not.toBe(online);
  expect(statuses.read('s')).toMatchObject({ since, players: 4 });
});

// Guarantee: an archived server is forgotten, and its status says archived.
test('the archive', () => {
  pass(1000);
  inUse = [];
  pass(1000);
  expect(statuses.all().size).toBe(0);
  expect(statuses.read('s')).toMatchObject({
    state: 'unknown',
    detail: 'It is archived.',
    since: null,
  });
});

// Guarantee: however many servers there are, other work gets its turn during a sweep, and the end is reported once.
test('ten thousand servers', () => {
  inUse = Array.from({ length: 10_000 }, (_, index) => `s${index}`);
  let sweeps = 0;
  let turns = 0;
  statuses.onSweep(() => {
    sweeps += 1;
  });
  const takeTurn = () => {
    turns += 1;
    if (sweeps === 0) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  vi.advanceTimersByTime(sweepMs);
  expect(statuses.all().size).toBeLessThan(inUse.length);
  // Twenty turns, a fifth of a second apart; the next sweep is not due yet.
  vi.advanceTimersByTime(4000 - 1);
  expect([statuses.all().size, sweeps]).toEqual([inUse.length, 1]);
  expect(turns).toBeGreaterThan(10);
});

// Guarantee: a server whose status cannot be determined does not affect the others.
test('one that cannot be told', () => {
  inUse = ['broken', 's'];
  pass(1000);
  expect(statuses.read('s').state).toBe('unknown');
  answeredAt = new Date(nowMs);
  pass(1000);
  expect(statuses.all().get('s')?.status.state).toBe('online');
  expect(statuses.all().has('broken')).toBe(false);
});

// Guarantee: a server that was in its state before a restart of the API has been in it since then, also if it was unknown meanwhile.
test('since when, after a restart', () => {
  const before = '2026-01-02T03:04:05.000Z';
  earlier = new Map([['server:s online online', before]]);
  pass(1000);
  expect(statuses.read('s')).toMatchObject({ state: 'unknown', since: new Date(nowMs).toISOString() });
  answeredAt = new Date(nowMs);
  pass(1000);
  expect(statuses.read('s')).toMatchObject({ state: 'online', since: before });
});
