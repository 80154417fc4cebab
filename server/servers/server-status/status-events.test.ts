import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GameServerStatus } from '#contracts/servers/game-servers.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { type MigratedDatabase, migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { createStatusEvents } from './status-events.ts';

let database: MigratedDatabase;
let nowMs: number;
let state: GameServerStatus['state'];
let told: string[];
let detail: string | null;

beforeEach(async () => {
  database = await migratedDatabase();
  nowMs = 0;
  state = 'unknown';
  told = [];
  detail = null;
});
afterEach(() => database[Symbol.asyncDispose]());

const status = (): GameServerStatus => ({
  state,
  detail,
  outcome: null,
  via: state === 'unknown' ? null : 'direct',
  since: null,
  answeredAt: null,
  players: null,
  agentMode: null,
  shown: 'unknown',
  process: null,
});
const start = async () => {
  const statusEvents = createStatusEvents({
    db: database.db,
    servers: { all: () => [{ id: 's', name: 'Island' }] },
    statusOf: status,
    events: { record: (kind, _payload, options) => told.push(`${kind} ${options?.serverId}`) },
    now: () => nowMs,
    awayMs: 15_000,
  });
  await statusEvents.prepare();
  const look = (next: GameServerStatus['state'], seconds: number) => {
    state = next;
    nowMs += seconds * 1000;
    statusEvents.look();
  };
  return Object.assign(look, { prepare: statusEvents.prepare });
};

// Guarantee: an unreadable list of players is reported with the game's answer, once until it can be read again.
test('an unreadable list', async () => {
  const look = await start();
  look('online', 1);
  detail = 'This is not the list of players. The game answered: Online: Steve';
  look('online', 1);
  look('online', 1);
  detail = null;
  look('online', 1);
  detail = 'again';
  look('online', 1);
  expect(told).toEqual(['server.online s', 'server.players-unreadable s', 'server.players-unreadable s']);
});

// Guarantee: each server that goes online or offline is reported once; a short absence, or an unknown state, is not.
test('changes', async () => {
  const look = await start();
  look('unknown', 1);
  look('online', 1);
  look('online', 60);
  look('offline', 1);
  look('offline', 10);
  look('online', 1);
  expect(told).toEqual(['server.online s']);
  look('offline', 1);
  look('unknown', 20);
  look('offline', 1);
  look('offline', 14);
  expect(told).toHaveLength(1);
  look('offline', 1);
  look('offline', 60);
  look('starting', 60);
  look('offline', 60);
  expect(told).toEqual(['server.online s', 'server.unreachable s']);
  look('online', 1);
  expect(told).toHaveLength(3);
});

// Guarantee: a restart of Castellan repeats no report, and does report what changed in between.
test('after a restart', async () => {
  const payload = { name: 'Island', via: 'direct' } as const;
  await recordEvent(
    database.db,
    'server.unreachable',
    { ...payload, outcome: null, detail: 'x' },
    { serverId: 's' },
  );
  await recordEvent(database.db, 'server.online', payload, { serverId: 's' });
  const first = await start();
  first('online', 1);
  first('offline', 1);
  expect(told).toEqual([]);
  first('offline', 15);
  expect(told).toEqual(['server.unreachable s']);
  const second = await start();
  second('offline', 1);
  second('offline', 15);
  expect(told).toEqual(['server.unreachable s', 'server.unreachable s']);
});

// Guarantee: what was reported and is not written yet is not reported again, however often it is prepared.
test('prepared again', async () => {
  const payload = { name: 'Island', via: 'direct', outcome: null, detail: 'x' } as const;
  await recordEvent(database.db, 'server.unreachable', payload, { serverId: 's' });
  const look = await start();
  look('online', 1);
  await look.prepare();
  look('online', 1);
  expect(told).toEqual(['server.online s']);
});
