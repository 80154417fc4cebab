import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedPlayer } from '#games/game.ts';
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

/** Reports a list and waits until it is written. @returns who is shown, by name and id */
const list = async (server: string, ...players: ListedPlayer[]) => {
  bench.clock.move(1);
  presence.report(server, 'direct', players);
  return eventually(() => {
    const shown = presence.read(server);
    expect(shown.asOf).toBe(bench.clock.now().toISOString());
    return shown.players?.map(({ name, platformId, playerId }) => ({ name, platformId, playerId })) ?? [];
  });
};

const namesOf = async (playerId: string | undefined) => {
  const rows = await bench.database.db
    .selectFrom('player_names')
    .select('name')
    .where('player_id', '=', playerId ?? '0')
    .orderBy('first_seen_at')
    .execute();
  return rows.map(({ name }) => name);
};

// Guarantee: a player who changes the name stays the same player, and every name is kept.
test('a change of name', async () => {
  const server = await bench.server();
  const [before] = await list(server, listed('Ann', 'steam:1'));
  const [after] = await list(server, listed('Anna', 'steam:1'));
  expect(after).toEqual({ ...before, name: 'Anna' });
  expect(await namesOf(before?.playerId)).toEqual(['Ann', 'Anna']);
  expect(await bench.events(server)).toEqual(['joined Ann']);
});

// Guarantee: a reused entity id identifies no player: the one who left and the next one with that id are two.
test('a handle that is used again', async () => {
  const server = await bench.server();
  const [before] = await list(server, listed('Zed', null, '171'));
  const [after] = await list(server, listed('Yan', null, '171'));
  expect(after?.name).toBe('Yan');
  expect(after?.playerId).not.toBe(before?.playerId);
  expect(await bench.events(server)).toEqual(['joined Zed', 'left Zed', 'joined Yan']);
});

// Guarantee: a player known by name first and by id later is one player in one session.
test('an id that comes later', async () => {
  const server = await bench.server();
  await list(server);
  const player = { name: 'Carl', platformId: null };
  await presence.observe(server, [
    { kind: 'join', player, text: null, at: bench.clock.now(), key: randomUUID() },
  ]);
  const [byName] = await eventually(() => {
    const { players } = presence.read(server);
    expect(players).toHaveLength(1);
    return players ?? [];
  });
  const [byId] = await list(server, listed('[VIP] Carl', 'minecraft:carl', 'Carl'));
  expect(byId).toEqual({ name: '[VIP] Carl', platformId: 'minecraft:carl', playerId: byName?.playerId });
  expect(await list(server, listed('Carl', null))).toEqual([byId]);
  expect(await bench.sessions(server)).toHaveLength(1);
  expect(await bench.events(server)).toEqual(['joined Carl']);
});

// Guarantee: when the player with that id is already known, the session becomes theirs, and no second player remains.
test('an id that is known', async () => {
  const server = await bench.server();
  const [known] = await list(server, listed('Dora', 'minecraft:dora'));
  await list(server);
  const [byName] = await list(server, listed('Dora', null));
  expect(byName?.playerId).not.toBe(known?.playerId);
  expect(await list(server, listed('Dora', 'minecraft:dora'))).toEqual([known]);
  const left = await bench.database.db
    .selectFrom('players')
    .select('id')
    .where('name', '=', 'Dora')
    .execute();
  expect(left).toEqual([{ id: known?.playerId }]);
  expect(await bench.sessions(server)).toHaveLength(2);
});

// Guarantee: a history made under a name alone goes to no one who comes with an id.
test('what a name alone did before', async () => {
  const server = await bench.server();
  const [first] = await list(server, listed('Eve', null));
  await list(server);
  await list(server, listed('Eve', null));
  const [identified] = await list(server, listed('Eve', 'minecraft:eve'));
  expect(identified?.playerId).not.toBe(first?.playerId);
  const sessions = await bench.database.db
    .selectFrom('player_sessions')
    .select('player_id')
    .where('server_id', '=', server)
    .orderBy('id')
    .execute();
  expect(sessions.map(({ player_id }) => player_id)).toEqual([first?.playerId, identified?.playerId]);
});

// Guarantee: two players with the same name and different ids are two, whatever else is known.
test('the same name twice', async () => {
  const server = await bench.server();
  const [one, other] = await list(server, listed('Finn', 'steam:f1', '1'), listed('Finn', 'steam:f2', '2'));
  expect(one?.playerId).not.toBe(other?.playerId);
  const leave = { kind: 'leave' as const, player: { name: 'Finn', platformId: null }, text: null };
  await presence.observe(server, [{ ...leave, at: bench.clock.now(), key: randomUUID() }]);
  expect(presence.count(server)).toBe(2);
  expect(await list(server, listed('Finn', 'steam:f2', '2'))).toEqual([other]);
  expect(await list(server, listed('Finn', null, '2'))).toEqual([other]);
  await list(server, listed('Finn', null, '2'), listed('Finn', 'steam:f3', '3'));
  expect((await bench.sessions(server)).filter(({ until }) => until === null)).toHaveLength(2);
});

// Guarantee: a name identifies a player only within its game; an id is the same on all servers, even on two at the same time.
test('several servers', async () => {
  const [one, other, elsewhere] = [await bench.server(), await bench.server(), await bench.server('ark-se')];
  const players = [listed('Gwen', null), listed('Hugo', 'steam:h')];
  const [gwen, hugo] = await list(one, ...players);
  expect(await list(other, ...players)).toEqual([gwen, hugo]);
  const [otherGwen, sameHugo] = await list(elsewhere, ...players);
  expect(sameHugo).toEqual(hugo);
  expect(otherGwen?.playerId).not.toBe(gwen?.playerId);
});

// Guarantee: no name or id, however hostile, stops the list or takes another player's place.
test('hostile names', async () => {
  const server = await bench.server();
  const shown = await list(
    server,
    listed('\0\0', 'steam:nul'),
    listed('a\ud800b', 'steam:half'),
    listed('\u{fdfa}'.repeat(200), 'steam:long'),
    listed('x'.repeat(5000), 'steam:longer'),
    listed('\u202eevil\u202c', 'steam:rtl'),
    listed('😀'.repeat(100), 'steam:emoji'),
    listed(`'; drop table players; --`, 'steam:sql'),
    listed('', 'steam:none', ''),
    listed('\u200b \u2028', null, 'h\0'),
    listed('Ivy', 'name:minecraft:Gwen'),
    listed('Jan', 'not an id'),
    listed('{"a",\\"b\\",NULL}', 'steam:array'),
  );
  expect(shown.map(({ name, platformId }) => [name.length > 20 ? name.length : name, platformId])).toEqual([
    ['\ufffd\ufffd', 'steam:nul'],
    ['a\ufffdb', 'steam:half'],
    [200, 'steam:long'],
    [200, 'steam:longer'],
    ['\u202eevil\u202c', 'steam:rtl'],
    [200, 'steam:emoji'],
    [25, 'steam:sql'],
    ['steam:none', 'steam:none'],
    ['h\ufffd', null],
    ['Ivy', null],
    ['Jan', null],
    ['{"a",\\"b\\",NULL}', 'steam:array'],
  ]);
  expect(new Set(shown.map(({ playerId }) => playerId)).size).toBe(shown.length);
});

// Guarantee: a player who changes the name endlessly fills only a bounded list of names.
test('a flood of names', async () => {
  const server = await bench.server();
  let playerId: string | undefined;
  for (let index = 0; index < 120; index += 1)
    playerId = (await list(server, listed(`Name ${index}`, 'steam:flood')))[0]?.playerId;
  const names = await namesOf(playerId);
  expect(names).toHaveLength(100);
  expect(names.at(-1)).toBe('Name 119');
});
