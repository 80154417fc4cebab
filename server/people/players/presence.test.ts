import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import type { Presence } from './presence.ts';
import { listed, type PresenceOfATest, presenceOfATest } from './testing/presence-of-a-test.ts';

let bench: PresenceOfATest;
let presence: Presence;

beforeAll(async () => {
  bench = await presenceOfATest();
  presence = await bench.start();
});
afterAll(() => bench[Symbol.asyncDispose]());

const names = (serverId: string) =>
  presence
    .read(serverId)
    .players?.map(({ name }) => name)
    .sort() ?? null;
const shows = (serverId: string, expected: readonly string[] | null, deadlineMs?: number) =>
  eventually(() => expect(names(serverId)).toEqual(expected), deadlineMs);
const now = () => bench.clock.now().getTime() / 1000;
/** Seconds since the first call in a test. */
const from = (start: number) => now() - start;

// Guarantee: a player who comes and goes has a session of exactly that time, with an event at each end.
test('joins and leaves', async () => {
  const server = await bench.server();
  const start = now();
  presence.report(server, 'direct', [listed('Ann')]);
  await shows(server, ['Ann']);
  bench.clock.move(60);
  presence.report(server, 'direct', [listed('Ann'), listed('Bob')]);
  await shows(server, ['Ann', 'Bob']);
  bench.clock.move(30);
  presence.report(server, 'direct', [listed('Bob')]);
  await shows(server, ['Bob']);
  const lengths = (await bench.sessions(server)).map(({ until, ...s }) => [s.name, until && until - s.from]);
  expect(lengths).toEqual([
    ['Ann', 90],
    ['Bob', null],
  ]);
  expect(from(start)).toBe(90);
  expect(await bench.events(server)).toEqual(['joined Ann', 'joined Bob', 'left Ann']);
  expect(presence.count(server)).toBe(1);
});

// Guarantee: an unchanged list costs no query, and who was seen is stored once a minute.
test('unchanged lists', async () => {
  await using own = await presenceOfATest();
  const { clock, database } = own;
  const presence = await own.start();
  const server = await own.server();
  presence.report(server, 'direct', [listed('Ann')]);
  await eventually(() => expect(presence.read(server).players).toHaveLength(1));
  const number = presence.all().find(({ players }) => players.serverId === server)?.number;
  const confirmed = async () => {
    const row = await database.db
      .selectFrom('player_sessions')
      .innerJoin('players', 'players.id', 'player_id')
      .select(['confirmed_at', 'players.last_seen_at'])
      .where('server_id', '=', server)
      .executeTakeFirstOrThrow();
    return [row.confirmed_at, row.last_seen_at];
  };
  const before = await confirmed();
  clock.move(30);
  presence.report(server, 'direct', [listed('Ann')]);
  expect(presence.read(server).asOf).toBe(clock.now().toISOString());
  expect(await confirmed()).toEqual(before);
  clock.move(31);
  presence.report(server, 'direct', [listed('Ann')]);
  const seen = clock.now();
  await eventually(async () => expect(await confirmed()).toEqual([seen, seen]));
  expect(presence.all().find(({ players }) => players.serverId === server)?.number).toBe(number);
});

// Guarantee: an agent and a direct connection never count a player twice; while the agent is present, only it counts.
test('two sources', async () => {
  const server = await bench.server();
  presence.report(server, 'direct', [listed('Ann', null), listed('Bob')]);
  await shows(server, ['Ann', 'Bob']);
  bench.agents.add(server);
  presence.hear(server, { state: 'online', players: [listed('Ann', null), listed('Bob', null)] });
  presence.report(server, 'direct', []);
  presence.lost(server, 'direct');
  await shows(server, ['Ann', 'Bob']);
  expect(presence.read(server).source).toBe('agent');
  bench.agents.delete(server);
  await shows(server, null);
  presence.report(server, 'direct', [listed('Ann', null), listed('Bob')]);
  await shows(server, ['Ann', 'Bob']);
  expect(await bench.events(server)).toEqual(['joined Ann', 'joined Bob']);
});

// Guarantee: without an answer no player is reported as online or gone; after two minutes sessions end at their last confirmation.
test('no answer', async () => {
  const server = await bench.server();
  presence.report(server, 'direct', [listed('Ann'), listed('Bob')]);
  await shows(server, ['Ann', 'Bob']);
  const start = now();
  bench.clock.move(30);
  presence.lost(server, 'direct');
  await shows(server, null);
  expect(presence.count(server)).toBeNull();
  bench.clock.move(100);
  presence.report(server, 'direct', [listed('Ann')]);
  await shows(server, ['Ann']);
  expect((await bench.sessions(server)).map(({ name, until }) => [name, until === null])).toEqual([
    ['Ann', true],
    ['Bob', false],
  ]);
  bench.clock.move(5);
  presence.lost(server, 'direct');
  bench.clock.move(121);
  await eventually(async () => {
    const [ann, bob] = await bench.sessions(server);
    expect([(ann?.until ?? 0) - (ann?.from ?? 0), (bob?.until ?? -1) - (bob?.from ?? 0)]).toEqual([130, 0]);
  });
  expect(from(start)).toBe(256);
  presence.report(server, 'direct', [listed('Ann')]);
  await shows(server, ['Ann']);
  expect(await bench.sessions(server)).toHaveLength(3);
});

// Guarantee: an agent that goes silent leaves no list behind that looks current.
test('a silent agent', async () => {
  const server = await bench.server();
  bench.agents.add(server);
  presence.hear(server, { state: 'online', players: [listed('Ann')] });
  await shows(server, ['Ann']);
  bench.clock.move(170);
  presence.hear(server, { state: 'online', players: null });
  bench.clock.move(170);
  await shows(server, ['Ann']);
  bench.clock.move(11);
  await shows(server, null);
  presence.hear(server, { state: 'online', players: null });
  await shows(server, ['Ann']);
  presence.hear(server, { state: 'offline', players: null });
  await shows(server, null);
  presence.hear(server, { state: 'online', players: null });
  await shows(server, ['Ann']);
  expect(await bench.events(server)).toEqual(['joined Ann']);
  presence.hear(server, { state: 'starting', players: [] });
  await shows(server, null);
  presence.hear(server, { state: 'online', players: null });
  await shows(server, []);
});

// Guarantee: the log is faster than the list, but the list decides.
test('what logs tell', async () => {
  const server = await bench.server();
  bench.agents.add(server);
  const event = (kind: 'join' | 'leave', name: string, agoSeconds = 0) => ({
    kind,
    player: { name, platformId: null },
    text: null,
    at: new Date(bench.clock.now().getTime() - agoSeconds * 1000),
    key: randomUUID(),
  });
  presence.hear(server, { state: 'online', players: [listed('Ann')] });
  bench.clock.move(4);
  await presence.observe(server, [event('join', 'Bob', 1), event('leave', 'Ann')]);
  await shows(server, ['Bob']);
  presence.hear(server, { state: 'online', players: null });
  await shows(server, ['Bob']);
  bench.clock.move(1);
  presence.hear(server, { state: 'online', players: [listed('Ann'), listed('Bob')] });
  await shows(server, ['Ann', 'Bob']);
  await presence.observe(server, [event('leave', 'Bob', 3), event('join', 'Old', 3)]);
  await shows(server, ['Ann', 'Bob']);
  expect(await bench.events(server)).toEqual(['joined Ann', 'left Ann', 'joined Bob', 'joined Ann']);
});

// Guarantee: a list that an agent reports as unchanged overrides, after half a minute, what the log reported in between.
test('a leave that no log told', async () => {
  const server = await bench.server();
  bench.agents.add(server);
  presence.hear(server, { state: 'online', players: [] });
  bench.clock.move(1);
  const at = bench.clock.now();
  const player = { name: 'Bob', platformId: null };
  await presence.observe(server, [{ kind: 'join', player, text: null, at, key: randomUUID() }]);
  await shows(server, ['Bob']);
  bench.clock.move(31);
  presence.hear(server, { state: 'online', players: null });
  await shows(server, []);
});

// Guarantee: a chat message is an event, with the player when known, and after the player's join.
test('chat', async () => {
  const server = await bench.server();
  presence.report(server, 'direct', [listed('Ann')]);
  const say = (name: string, text: string) => ({
    kind: 'chat' as const,
    player: { name, platformId: null },
    text,
    at: bench.clock.now(),
    key: randomUUID(),
  });
  await presence.observe(server, [say('Ann', 'hello \0 \ud800'), say('Stranger', 'hi')]);
  const rows = await bench.database.db
    .selectFrom('event_logs')
    .select(['kind', 'payload'])
    .where('server_id', '=', server)
    .orderBy('id')
    .execute();
  const playerId = presence.read(server).players?.[0]?.playerId;
  expect(rows).toMatchObject([
    { kind: 'player.joined' },
    { kind: 'chat.message', payload: { playerId, name: 'Ann', text: 'hello \ufffd \ufffd' } },
    { kind: 'chat.message', payload: { playerId: null, name: 'Stranger', text: 'hi' } },
  ]);
});

// Guarantee: a speaker given only by id gets the name in the list, otherwise the last known one.
test('chat without a name', async () => {
  const server = await bench.server();
  presence.report(server, 'direct', [listed('Ann', 'steam:7656'), listed('Eve', 'eos:aa')]);
  presence.report(server, 'direct', [listed('Ann', 'steam:7656')]);
  const say = (id: string, platformId: string) => ({
    kind: 'chat' as const,
    player: { name: id, platformId },
    text: 'hi',
    at: bench.clock.now(),
    key: randomUUID(),
  });
  await presence.observe(server, [
    say('Steam_7656', 'steam:7656'),
    say('EOS_aa', 'eos:aa'),
    say('Steam_1', 'steam:1'),
    say('Annie', 'steam:7656'),
  ]);
  const rows = await bench.database.db
    .selectFrom('event_logs')
    .select('payload')
    .where('server_id', '=', server)
    .where('kind', '=', 'chat.message')
    .orderBy('id')
    .execute();
  expect(rows.map(({ payload }) => payload)).toMatchObject(
    ['Ann', 'Eve', 'Steam_1', 'Annie'].map((name) => ({ name })),
  );
});

// Guarantee: where the game omits the speaker's name, a quoted one proves nothing.
test('a quoted line that begins with a name', async () => {
  const server = await bench.server();
  const proven = new Map<string, boolean>();
  presence = await bench.start({
    onChat: (lines) => {
      for (const { name, isProven } of lines) proven.set(name, isProven);
    },
  });
  presence.report(server, 'direct', [listed('Ann', 'steam:7656')]);
  for (const name of ['Steam_7656', '[VIP] ANN', 'Bob']) {
    const player = { name, platformId: 'steam:7656' };
    const at = bench.clock.now();
    await presence.observe(server, [{ kind: 'chat', player, text: '!buy VIP', at, key: randomUUID() }]);
  }
  expect([...proven]).toEqual([
    ['Ann', true],
    ['[VIP] ANN', true],
    ['Bob', false],
  ]);
});

// Guarantee: a full server of a thousand is a list like any other; players beyond that are dropped.
test('a thousand players', async () => {
  const server = await bench.server();
  const all = Array.from({ length: 1001 }, (_, index) => listed(`Player ${index}`));
  presence.report(server, 'direct', all);
  await shows(
    server,
    all
      .slice(0, 1000)
      .map(({ name }) => name)
      .sort(),
    // A player, a name, a session and an event, a thousand times each.
    30_000,
  );
  bench.clock.move(1);
  presence.report(server, 'direct', all.slice(0, 1));
  await shows(server, ['Player 0']);
  expect((await bench.sessions(server)).filter(({ until }) => until === null)).toHaveLength(1);
});

// Guarantee: an archived server has no players, and its sessions end at their last confirmation.
test('an archived server', async () => {
  const server = await bench.server();
  presence.report(server, 'direct', [listed('Ann')]);
  await shows(server, ['Ann']);
  bench.clock.move(10);
  bench.archive(server);
  presence.report(server, 'direct', [listed('Bob')]);
  await shows(server, null);
  bench.clock.move(121);
  await eventually(async () => {
    const [ann, ...others] = await bench.sessions(server);
    expect([(ann?.until ?? -1) - (ann?.from ?? 0), others]).toEqual([0, []]);
  });
});
