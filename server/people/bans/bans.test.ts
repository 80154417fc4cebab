import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import type { Bans } from './bans.ts';
import {
  type Banning,
  by,
  commandsAbout,
  isBanned,
  openBanning,
  type SimulatedServer,
} from './testing/banning.ts';

let banning: Banning;
let first: SimulatedServer;
let second: SimulatedServer;

beforeAll(async () => {
  banning = await openBanning();
  first = await banning.server('minecraft');
  second = await banning.server('minecraft');
}, 60_000);
afterAll(() => banning[Symbol.asyncDispose]());
beforeEach(() => {
  banning.onSend = () => undefined;
  banning.losesAnswers = false;
});

// Guarantee: a ban reaches every server of its game, including one that was away, once it is back, and one that is
// added later; what is shown is what each game has said.
test('servers that are there, away, and new', async () => {
  const { playerId, name } = await banning.someone();
  await banning.away(second);
  const id = await banning.ban(playerId);
  await banning.bans.round();
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'in-force', [second.serverId]: 'waiting' });
  expect([isBanned(first, name), isBanned(second, name)]).toEqual([true, false]);
  const [place] = await banning.details(id);
  expect(place).toMatchObject({
    command: `ban ${name} spam`,
    reply: `Banned ${name}: spam`,
    outcome: 'answered',
  });

  await banning.back(second);
  banning.later();
  await banning.bans.round();
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'in-force', [second.serverId]: 'in-force' });
  expect(isBanned(second, name)).toBe(true);

  const third = await banning.server('minecraft');
  const other = await banning.server('ark-asa');
  await banning.bans.round();
  expect((await banning.states(id))[third.serverId]).toBe('in-force');
  expect(isBanned(third, name)).toBe(true);
  expect(other.game.world.received.filter((line) => line.startsWith('Ban'))).toEqual([]);
  // One command is enough.
  banning.later();
  await banning.bans.round();
  expect(commandsAbout(first, name)).toHaveLength(1);
  await banning.store.archive(third.serverId);
  await banning.store.archive(other.serverId);
}, 60_000);

// Guarantee: if a ban is lifted while it waits for a server, nothing is ever sent there; where it was sent, the unban is sent and proven.
test('lifted before it was brought', async () => {
  const { playerId, name } = await banning.someone();
  await banning.away(second);
  const id = await banning.ban(playerId);
  await banning.bans.round();
  await banning.bans.write.lift(id, by);
  await banning.back(second);
  banning.later();
  await banning.bans.round();
  expect(await banning.states(id)).toMatchObject({ [first.serverId]: 'lifted', [second.serverId]: 'never' });
  expect(isBanned(first, name)).toBe(false);
  expect(second.game.world.received.filter((line) => line.includes(name))).toEqual([]);
}, 60_000);

// Guarantee: a ban that is lifted while its server is away is lifted there once the server is back.
test('lifted while a server that has it is away', async () => {
  const { playerId, name } = await banning.someone();
  const id = await banning.ban(playerId);
  await banning.bans.round();
  await banning.away(second);
  await banning.bans.write.lift(id, by);
  await banning.bans.round();
  expect(await banning.states(id)).toMatchObject({
    [first.serverId]: 'lifted',
    [second.serverId]: 'lifting',
  });
  expect(isBanned(second, name)).toBe(true);
  await banning.back(second);
  banning.later();
  await banning.bans.round();
  expect((await banning.states(id))[second.serverId]).toBe('lifted');
  expect(isBanned(second, name)).toBe(false);
}, 60_000);

// Guarantee: after a kill between sending and result, nothing is claimed, and the ban is sent again until the game has confirmed it.
test('killed before the answer was stored', async () => {
  const { playerId, name } = await banning.someone();
  banning.losesAnswers = true;
  const id = await banning.ban(playerId, { servers: [first.serverId] });
  void banning.bans.round();
  await expect.poll(() => isBanned(first, name), { timeout: 10_000 }).toBe(true);
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'waiting' });

  banning.losesAnswers = false;
  banning.restart();
  banning.later();
  await banning.bans.round();
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'unknown' });
  banning.later();
  await banning.bans.round();
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'in-force' });
  expect(commandsAbout(first, name)).toHaveLength(2);
}, 60_000);

// Guarantee: what a process with a clock slightly ahead has just sent is left to it.
test('another clock', async () => {
  const { playerId, name } = await banning.someone();
  banning.losesAnswers = true;
  const id = await banning.ban(playerId, { servers: [first.serverId] });
  banning.aheadMs += 3000;
  void banning.bans.round();
  await expect.poll(() => isBanned(first, name), { timeout: 10_000 }).toBe(true);
  banning.losesAnswers = false;
  banning.aheadMs -= 3000;
  await using beside = banning.beside();
  await beside.round();
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'waiting' });
  banning.restart();
  for (const _round of [1, 2]) {
    banning.later();
    await banning.bans.round();
  }
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'in-force' });
}, 60_000);

// Guarantee: after a kill before anything left, the next process sends the ban.
test('killed before the command left', async () => {
  const { playerId, name } = await banning.someone();
  let left = 1;
  banning.onSend = () => {
    left -= 1;
    if (left >= 0) throw new Error('the process ends here');
  };
  const id = await banning.ban(playerId, { servers: [first.serverId] });
  await banning.bans.round();
  expect(await banning.states(id)).not.toEqual({ [first.serverId]: 'in-force' });
  banning.restart();
  banning.later();
  await banning.bans.round();
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'in-force' });
  expect(commandsAbout(first, name)).toHaveLength(1);
}, 60_000);

// Guarantee: if a ban is lifted while its reply is in transit or lost, the player is free in the end.
test('lifted while it is in doubt', async () => {
  const { playerId, name } = await banning.someone();
  banning.losesAnswers = true;
  const id = await banning.ban(playerId, { servers: [first.serverId] });
  void banning.bans.round();
  await expect.poll(() => isBanned(first, name), { timeout: 10_000 }).toBe(true);
  await banning.bans.write.lift(id, by);
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'lifting' });
  banning.losesAnswers = false;
  banning.restart();
  for (const _round of [1, 2]) {
    banning.later();
    await banning.bans.round();
  }
  expect(await banning.states(id)).toEqual({ [first.serverId]: 'lifted' });
  expect(isBanned(first, name)).toBe(false);
}, 60_000);

// Guarantee: a ban with an end is lifted at its end, on each server.
test('a ban that ends', async () => {
  const { playerId, name } = await banning.someone();
  const until = new Date(Date.now() + banning.aheadMs + 3_600_000).toISOString();
  const id = await banning.ban(playerId, { until });
  await banning.bans.round();
  expect(isBanned(first, name)).toBe(true);
  banning.aheadMs += 3_599_000;
  await banning.bans.round();
  expect(isBanned(first, name)).toBe(true);
  banning.aheadMs += 2000;
  await banning.bans.round();
  expect([isBanned(first, name), isBanned(second, name)]).toEqual([false, false]);
  expect(await banning.bans.reading.read(testOwner, id)).toMatchObject({
    endedHow: 'expired',
    endedAt: until,
    endedBy: null,
  });
  expect(await banning.bans.write.restore(id, by)).toMatchObject({ refused: 'CONFLICT' });
  const past = { servers: 'all', reason: '', until: new Date(0).toISOString() } as const;
  expect(await banning.bans.write.give(playerId, past, by)).toMatchObject({ refused: 'INVALID_REQUEST' });
}, 60_000);

// Guarantee: an archived server is sent nothing; back in use, it gets what holds at that time.
test('a server that is removed', async () => {
  const { playerId, name } = await banning.someone();
  const third = await banning.server('minecraft');
  await banning.store.archive(third.serverId);
  const id = await banning.ban(playerId);
  await banning.bans.round();
  expect((await banning.states(id))[third.serverId]).toBeUndefined();
  await banning.store.unarchive(third.serverId);
  await expect.poll(() => banning.store.ways.open(third.serverId), { timeout: 30_000 }).not.toBeNull();
  await banning.bans.round();
  expect(isBanned(third, name)).toBe(true);
  await banning.store.archive(third.serverId);
  expect((await banning.states(id))[third.serverId]).toBe('gone');
  await banning.bans.write.lift(id, by);
  await banning.bans.round();
  expect(isBanned(third, name)).toBe(true);
}, 60_000);

// Guarantee: 7 Days to Die lists a player who is there under another id than the one it was given; the unban names that one, and is proven.
test('an id that the game chooses', async () => {
  const server = await banning.server('seven-days-to-die');
  const there = server.game.world.join('Ann');
  const absent = 'steam:76561198000000009';
  const ann = await banning.store.member(
    'Ann',
    'seven-days-to-die',
    there.platformId.replace(/^Steam_/, 'steam:'),
  );
  const id = await banning.ban(ann.playerId);
  await banning.bans.round();
  expect(server.game.world.players).toEqual([]);
  expect([...server.game.world.bans.keys()]).toEqual([there.crossId]);
  await banning.bans.write.lift(id, by);
  await banning.bans.round();
  expect(server.game.world.bans.size).toBe(0);
  expect(await banning.states(id)).toEqual({ [server.serverId]: 'lifted' });

  // Sent again, or banned again after a lost unban, the list keeps one id, which the unban names.
  server.game.world.join('Ann');
  await banning.bans.write.restore(id, by);
  await banning.bans.round();
  const listed = [...server.game.world.bans.keys()];
  expect(listed).toEqual([expect.stringMatching(/^EOS_/)]);
  await banning.bans.write.sendAgain(id, by);
  await banning.bans.round();
  expect([...server.game.world.bans.keys()]).toEqual(listed);
  banning.losesAnswers = true;
  await banning.bans.write.lift(id, by);
  void banning.bans.round();
  await expect.poll(() => server.game.world.bans.size, { timeout: 10_000 }).toBe(0);
  banning.losesAnswers = false;
  banning.restart();
  await banning.bans.write.restore(id, by);
  for (const _round of [1, 2]) {
    banning.later();
    await banning.bans.round();
  }
  expect([...server.game.world.bans.keys()]).toEqual(listed);
  expect(await banning.states(id)).toEqual({ [server.serverId]: 'in-force' });
  await banning.bans.write.lift(id, by);
  await banning.bans.round();
  expect(server.game.world.bans.size).toBe(0);
  expect(await banning.states(id)).toEqual({ [server.serverId]: 'lifted' });

  const away = await banning.store.member('Bob', 'seven-days-to-die', absent);
  const second = await banning.ban(away.playerId);
  await banning.bans.round();
  expect([...server.game.world.bans.keys()]).toEqual(['Steam_76561198000000009']);
  await banning.bans.write.lift(second, by);
  await banning.bans.round();
  expect(await banning.states(second)).toEqual({ [server.serverId]: 'lifted' });
  expect(server.game.world.bans.size).toBe(0);
}, 60_000);

// Guarantee: ARK bans and unbans by the id of the account, on its own servers alone; a player that it knows by name
// only is refused immediately.
test('ARK', async () => {
  const server = await banning.server('ark-asa');
  const eos = '0002'.padEnd(32, 'a');
  const { playerId } = await banning.store.member('Rex', 'ark-asa', `eos:${eos}`);
  const id = await banning.ban(playerId);
  await banning.bans.round();
  expect(server.game.world.bans.has(eos)).toBe(true);
  expect(Object.keys(await banning.states(id))).toEqual([server.serverId]);
  await banning.bans.write.lift(id, by);
  await banning.bans.round();
  expect(server.game.world.bans.has(eos)).toBe(false);
  const named = await banning.store.member('Only a name', 'ark-asa');
  const refused = banning.bans.write.give(named.playerId, { servers: 'all', reason: '', until: null }, by);
  expect(await refused).toMatchObject({ refused: 'NO_SUCH_COMMAND' });
  // An unban that is not possible yet is kept, and says so.
  expect(await banning.bans.unbanOn({ ...named, serverId: server.serverId }, by)).toEqual({
    outcome: 'unreachable',
    verdict: 'failed',
    detail: expect.stringContaining('ID'),
    kept: true,
  });
}, 60_000);

// Guarantee: a single server is contacted immediately and its reply is returned; a ban that only the game knows is lifted, too.
test('one server', async () => {
  const { playerId, name } = await banning.someone();
  const order = { playerId, serverId: first.serverId };
  expect(await banning.bans.banOn({ ...order, reason: 'rude' }, by)).toEqual({
    outcome: 'answered',
    verdict: 'done',
    detail: 'The game says that it banned the player.',
  });
  expect(await banning.bans.unbanOn(order, by)).toMatchObject({ verdict: 'done' });
  expect(isBanned(first, name)).toBe(false);
  first.game.world.bans.set(name, 'by hand');
  expect(await banning.bans.unbanOn(order, by)).toMatchObject({ verdict: 'done' });
  expect(isBanned(first, name)).toBe(false);

  // A ban on all servers is lifted there alone.
  const id = await banning.ban(playerId);
  await banning.bans.round();
  await banning.bans.unbanOn(order, by);
  await banning.bans.round();
  expect(await banning.states(id)).toMatchObject({
    [first.serverId]: 'lifted',
    [second.serverId]: 'in-force',
  });
  expect([isBanned(first, name), isBanned(second, name)]).toEqual([false, true]);
}, 60_000);

// Guarantee: an unban that meets a ban in transit is done once the ban has landed and is lifted; what another process
// has sent counts as under way, and not as a server that is away.
test('an unban that meets a ban', async () => {
  const { playerId, name } = await banning.someone();
  const order = { playerId, serverId: first.serverId };
  await banning.ban(playerId, { servers: [first.serverId] });
  const asked = Promise.withResolvers<Awaited<ReturnType<Bans['unbanOn']>>>();
  banning.onSend = () => {
    banning.onSend = () => undefined;
    asked.resolve(banning.bans.unbanOn(order, by));
  };
  void banning.bans.round();
  expect(await asked.promise).toMatchObject({ outcome: 'answered', verdict: 'done' });
  expect(isBanned(first, name)).toBe(false);
  expect(commandsAbout(first, name)).toEqual([`ban ${name} spam`, `pardon ${name}`]);

  banning.losesAnswers = true;
  void banning.bans.banOn({ ...order, reason: '' }, by);
  await expect.poll(() => isBanned(first, name), { timeout: 10_000 }).toBe(true);
  await using beside = banning.beside();
  expect(await beside.banOn({ ...order, reason: '' }, by)).toEqual({
    outcome: 'unknown',
    verdict: null,
    detail: '',
    kept: true,
  });
  banning.restart();
}, 60_000);

// Guarantee: sent again, the ban reaches a server that has lost its list.
test('a server that lost its list', async () => {
  const { playerId, name } = await banning.someone();
  const id = await banning.ban(playerId);
  await banning.bans.round();
  first.game.world.bans.delete(name);
  await banning.bans.write.sendAgain(id, by);
  expect((await banning.states(id))[first.serverId]).toBe('waiting');
  await banning.bans.round();
  expect(isBanned(first, name)).toBe(true);
  expect((await banning.states(id))[first.serverId]).toBe('in-force');
}, 60_000);
