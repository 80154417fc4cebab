import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import type { Presence } from './presence.ts';
import { listed, type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

let bench: PresenceOfATest;
let server: string;

beforeEach(async () => {
  bench = await presenceOfATest();
  server = await bench.server();
});
afterEach(() => bench[Symbol.asyncDispose]());

const shows = (presence: Presence, expected: readonly string[] | null) =>
  eventually(() => expect(presence.read(server).players?.map(({ name }) => name) ?? null).toEqual(expected));

// Guarantee: a process that is killed and restarts within ten minutes ends no session of players who are still online.
test('resumed', async () => {
  const killed = await bench.start();
  killed.report(server, 'direct', [listed('Ann'), listed('Bob', null)]);
  await shows(killed, ['Ann', 'Bob']);
  const presence = await bench.start();
  expect(presence.read(server).players).toBeNull();
  bench.clock.move(590);
  presence.report(server, 'direct', [listed('Ann')]);
  await shows(presence, ['Ann']);
  expect(await bench.sessions(server)).toEqual([
    { name: 'Ann', from: 0, until: null },
    { name: 'Bob', from: 0, until: 0 },
  ]);
  expect(await bench.events(server)).toEqual(['joined Ann', 'joined Bob', 'left Bob']);
});

// Guarantee: what waits for a player who never left is woken as soon as a list shows the player again.
test('known again', async () => {
  const killed = await bench.start();
  killed.report(server, 'direct', [listed('Ann')]);
  await shows(killed, ['Ann']);
  const present: string[] = [];
  const presence = await bench.start({ onPresent: (playerIds) => present.push(...playerIds) });
  expect(present).toEqual([]);
  presence.report(server, 'direct', [listed('Ann')]);
  const [ann] = presence.openSessions();
  expect(present).toEqual([ann?.playerId]);
  presence.report(server, 'direct', [listed('Ann')]);
  presence.lost(server, 'direct');
  expect(present).toHaveLength(1);
  presence.report(server, 'direct', [listed('Ann')]);
  expect(present).toEqual([ann?.playerId, ann?.playerId]);
});

// Guarantee: after a longer absence sessions end at their last confirmation, and players online count as newly joined.
test('away for too long', async () => {
  const killed = await bench.start();
  killed.report(server, 'direct', [listed('Ann')]);
  await shows(killed, ['Ann']);
  bench.clock.move(61);
  killed.report(server, 'direct', [listed('Ann')]);
  await eventually(async () => {
    const row = await bench.database.db
      .selectFrom('player_sessions')
      .select('confirmed_at')
      .executeTakeFirstOrThrow();
    expect(row.confirmed_at).toEqual(bench.clock.now());
  });
  const presence = await bench.start({ sweepMs: 3_600_000 });
  bench.clock.move(601);
  presence.report(server, 'direct', [listed('Ann')]);
  await shows(presence, ['Ann']);
  expect(await bench.sessions(server)).toEqual([
    { name: 'Ann', from: 0, until: 61 },
    { name: 'Ann', from: 662, until: null },
  ]);
});

// Guarantee: when no source reports who is online any more, sessions that a crash left open are still closed.
test('a server that does not answer any more', async () => {
  const killed = await bench.start();
  killed.report(server, 'direct', [listed('Ann')]);
  await shows(killed, ['Ann']);
  const presence = await bench.start();
  presence.lost(server, 'direct');
  bench.clock.move(601);
  await eventually(async () =>
    expect(await bench.sessions(server)).toEqual([{ name: 'Ann', from: 0, until: 0 }]),
  );
  expect(presence.read(server).players).toBeNull();
});

// Guarantee: a stop leaves sessions open for the next start, confirmed up to the stop.
test('a stop', async () => {
  const stopped = await bench.start();
  stopped.report(server, 'direct', [listed('Ann')]);
  await shows(stopped, ['Ann']);
  bench.clock.move(30);
  stopped.report(server, 'direct', [listed('Ann')]);
  await stopped[Symbol.asyncDispose]();
  const row = await bench.database.db
    .selectFrom('player_sessions')
    .select(['confirmed_at', 'left_at'])
    .executeTakeFirstOrThrow();
  expect(row).toEqual({ confirmed_at: bench.clock.now(), left_at: null });
});

// Guarantee: reports from before the database is ready are not lost, the newest of them count, and they resume open sessions.
test('early reports', async () => {
  const killed = await bench.start();
  killed.report(server, 'direct', [listed('Ann')]);
  await shows(killed, ['Ann']);
  bench.clock.move(20);
  bench.agents.add(server);
  const presence = await bench.start({}, (early) => {
    early.report(server, 'direct', [listed('Bob')]);
    early.hear(server, { state: 'online', players: [listed('Ann'), listed('Cat')] });
    early.hear(server, { state: 'offline', players: null });
    early.hear(server, { state: 'online', players: null });
    expect(early.read(server).players).toBeNull();
  });
  await shows(presence, ['Ann', 'Cat']);
  await presence.prepare();
  await shows(presence, ['Ann', 'Cat']);
  expect(await bench.events(server)).toEqual(['joined Ann', 'joined Cat']);
});

// Guarantee: while the database is unreachable reports are accepted, nothing fails, and all of it is written with its times
// once it is back.
test('a database that goes and comes back', async () => {
  const presence = await bench.start();
  presence.report(server, 'direct', [listed('Ann'), listed('Bob')]);
  await shows(presence, ['Ann', 'Bob']);
  const away = await bench.cutDatabase();
  bench.clock.move(10);
  presence.report(server, 'direct', [listed('Bob'), listed('Cat')]);
  bench.clock.move(10);
  presence.report(server, 'direct', [listed('Bob'), listed('Dan')]);
  const said = {
    kind: 'chat' as const,
    player: { name: 'Dan', platformId: null },
    text: 'hi',
    at: bench.clock.now(),
    key: randomUUID(),
  };
  await expect(presence.observe(server, [said])).rejects.toThrow();
  expect(presence.count(server)).toBe(2);
  expect(presence.read(server).players?.map(({ name }) => name)).toEqual(['Ann', 'Bob']);
  await away.restore();
  await shows(presence, ['Bob', 'Dan']);
  expect(await bench.sessions(server)).toEqual([
    { name: 'Ann', from: 0, until: 10 },
    { name: 'Bob', from: 0, until: null },
    { name: 'Cat', from: 10, until: 20 },
    { name: 'Dan', from: 20, until: null },
  ]);
  await presence.observe(server, [said]);
  expect((await bench.events(server)).at(-1)).toBe('chat.message Dan');
});
