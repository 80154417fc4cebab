import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { mergeMembers, undoMerge } from '../members/merging.ts';
import { replacePlayer } from '../members/replace-player.ts';
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

// Guarantee: the end of one ban does not lift what another one holds, and undoing a lift bans again.
test('two bans of one player, and an undone lifting', async () => {
  const { playerId, name } = await banning.someone();
  const everywhere = await banning.ban(playerId);
  const here = await banning.ban(playerId, { servers: [first.serverId], reason: 'again' });
  await banning.bans.round();
  await banning.bans.write.lift(everywhere, by);
  await banning.bans.round();
  expect([isBanned(first, name), isBanned(second, name)]).toEqual([true, false]);
  expect(await banning.states(everywhere)).toEqual({
    [first.serverId]: 'held',
    [second.serverId]: 'lifted',
  });
  expect(await banning.states(here)).toEqual({ [first.serverId]: 'in-force' });
  await banning.bans.write.lift(here, by);
  await banning.bans.round();
  expect(isBanned(first, name)).toBe(false);
  expect(await banning.bans.write.restore(here, by)).toBe(here);
  await banning.bans.round();
  expect([isBanned(first, name), isBanned(second, name)]).toEqual([true, false]);
  expect(await banning.bans.reading.read(testOwner, here)).toMatchObject({ endedAt: null, endedBy: null });
}, 60_000);

// Guarantee: requested twice, or by two processes at the same time, it is one ban and one command; another reason changes it.
test('duplicates', async () => {
  const { playerId, name } = await banning.someone();
  const [id, same] = await Promise.all([banning.ban(playerId), banning.ban(playerId)]);
  expect(same).toBe(id);
  expect(await banning.ban(playerId, { reason: 'griefing' })).toBe(id);
  await using beside = banning.beside();
  await Promise.all([beside.round(), banning.bans.round()]);
  await banning.bans.round();
  expect(commandsAbout(first, name)).toEqual([`ban ${name} griefing`]);
  const lifted = [banning.bans.write.lift(id, by), banning.bans.write.lift(id, by)];
  expect(await Promise.all(lifted)).toEqual([id, id]);
  await banning.bans.write.restore(id, by);
  await banning.bans.write.sendAgain(id, by);
  const servers = [first.serverId, second.serverId];
  const { rows } = await banning.store.database.pool.query(
    `select action, before, after from audit_logs where target = $1 order by id`,
    [`player:${playerId}`],
  );
  expect(rows).toMatchObject([
    { action: 'players.ban', after: { banId: id, isEverywhere: true, servers, reason: 'spam' } },
    { action: 'players.ban', before: { reason: 'spam' }, after: { reason: 'griefing', servers } },
    { action: 'players.unban', before: { banId: id, servers } },
    { action: 'players.restore-ban', after: { banId: id, servers } },
    { action: 'players.send-ban', after: { banId: id, servers } },
  ]);
}, 60_000);

// Guarantee: a ban means the person: merged members are banned with all their players of the game, and after a split they are not.
test('a merge and its undoing', async () => {
  const one = await banning.someone();
  const other = await banning.someone();
  const id = await banning.ban(one.playerId, { servers: [first.serverId] });
  await banning.bans.round();
  expect(isBanned(first, other.name)).toBe(false);
  const { db } = banning.store.database;
  const pair = { keptId: other.memberId, mergedId: one.memberId };
  const owner = { actor: 'admin:owner-1', actorName: 'Owner' };
  await db.transaction().execute((trx) => mergeMembers(trx, pair, owner));
  await banning.bans.round();
  expect(isBanned(first, other.name)).toBe(true);
  expect(await banning.details(id)).toHaveLength(2);
  const merge = await db
    .selectFrom('member_merges')
    .select('id')
    .where('kept_id', '=', other.memberId)
    .executeTakeFirstOrThrow();
  await db
    .transaction()
    .execute((trx) => undoMerge(trx, { keptId: other.memberId, mergeId: merge.id }, owner));
  await banning.bans.round();
  expect([isBanned(first, one.name), isBanned(first, other.name)]).toEqual([true, false]);
  expect(await banning.details(id)).toMatchObject([{ playerId: one.playerId, state: 'in-force' }]);
}, 60_000);

// Guarantee: another account of a banned member is banned in the game as soon as it is seen there.
test('another account that comes later', async () => {
  const one = await banning.someone();
  const { store } = banning;
  const other = await store.member('Latecomer', 'ark-asa', `eos:${'7'.repeat(32)}`);
  const { db } = store.database;
  const pair = { keptId: one.memberId, mergedId: other.memberId };
  const owner = { actor: 'admin:owner-1', actorName: 'Owner' };
  await db.transaction().execute((trx) => mergeMembers(trx, pair, owner));
  const id = await banning.ban(one.playerId, { servers: [first.serverId] });
  await banning.bans.round();
  expect(isBanned(first, 'Latecomer')).toBe(false);
  await banning.wasOn(first, other.playerId, 'Latecomer');
  await banning.bans.round();
  expect(isBanned(first, 'Latecomer')).toBe(true);
  expect(await banning.details(id)).toHaveLength(2);
  const { rowCount } = await store.database.pool.query('select from ban_news');
  expect(rowCount).toBe(0);
}, 60_000);

// Guarantee: a player known by name alone stays banned when the row with the id replaces theirs.
test('a player who is identified better', async () => {
  const named = await banning.store.member('Nameless', 'minecraft');
  const known = await banning.store.member('Nameless', 'minecraft', 'minecraft:nameless');
  const id = await banning.ban(named.playerId, { servers: [first.serverId] });
  await banning.bans.round();
  const { db } = banning.store.database;
  await db.transaction().execute(async (trx) => {
    const players = { replacedId: named.playerId, byId: known.playerId };
    await replacePlayer(trx, players);
    await trx.deleteFrom('players').where('id', '=', named.playerId).execute();
  });
  await banning.bans.round();
  expect(await banning.details(id)).toMatchObject([{ playerId: known.playerId, state: 'in-force' }]);
  expect(await banning.bans.reading.read(testOwner, id)).toMatchObject({ playerId: known.playerId });
  await banning.bans.write.lift(id, by);
  await banning.bans.round();
  expect(isBanned(first, 'Nameless')).toBe(false);
}, 60_000);

// Guarantee: an actor who may ban on some servers bans, lifts and reads only there, and only players who were there,
// under the names that they had there.
test('a moderator of one server', async () => {
  const { playerId, name } = await banning.someone();
  const both = new Set(['players.read', 'players.write'] as const);
  const moderator = {
    ...testOwner,
    permissions: new Set<never>(),
    serverPermissions: new Map([[first.serverId, both]]),
  };
  const { give, lift } = banning.bans.write;
  const asked = { actor: moderator, address: '127.0.0.1' };
  const wanted = { reason: '', until: null };
  const unseen = await give(playerId, { ...wanted, servers: [first.serverId] }, asked);
  expect(unseen).toMatchObject({ refused: 'NOT_FOUND' });
  await banning.wasOn(first, playerId, name);
  expect(await give(playerId, { ...wanted, servers: 'all' }, asked)).toMatchObject({ refused: 'FORBIDDEN' });
  expect(await give(playerId, { ...wanted, servers: [second.serverId] }, asked)).toMatchObject({
    refused: 'FORBIDDEN',
  });
  await banning.store.database.pool.query('update players set name = $2 where id = $1', [
    playerId,
    'Elsewhere',
  ]);
  const there = await banning.ban(playerId, { servers: [second.serverId] });
  const everywhere = await banning.ban(playerId);
  const own = await give(playerId, { ...wanted, servers: [first.serverId] }, asked);
  expect(await banning.bans.reading.read(moderator, there)).toBeNull();
  const { list } = banning.bans.reading;
  const seen = await list(moderator, { playerId, limit: 10 });
  expect(seen.rows.map(({ playerName }) => playerName)).toEqual([name, name]);
  expect((await list(moderator, { text: 'Elsewhere', limit: 10 })).rows).toEqual([]);
  expect(seen.rows.map(({ id }) => id)).toEqual([own, everywhere]);
  expect((await banning.bans.reading.read(moderator, everywhere))?.details).toMatchObject([
    { serverId: first.serverId, playerName: name },
  ]);
  expect(await lift(everywhere, asked)).toMatchObject({ refused: 'FORBIDDEN' });
  const writer = {
    ...moderator,
    serverPermissions: new Map([[first.serverId, new Set(['players.write'] as const)]]),
  };
  expect(await banning.bans.reading.read(writer, String(own))).toMatchObject({ id: own });
  expect(await banning.bans.reading.read(writer, there)).toBeNull();
  expect(await lift(String(own), asked)).toBe(own);
});

// Guarantee: the list is searched by name, reason, platform id and who banned, filtered by active or ended, and paged.
test('the list', async () => {
  const person = await banning.store.member('Ünïcødé 100%_x', 'ark-se', 'steam:76561198000000077');
  const id = await banning.ban(person.playerId, { reason: 'Böse Worte' });
  const { list } = banning.bans.reading;
  const find = async (search: object) =>
    (await list(testOwner, { limit: 10, ...search })).rows.map((row) => row.id);
  for (const text of ['100%_X', 'böse', 'steam:76561198000000077', '76561198000000077'])
    expect(await find({ text })).toEqual([id]);
  expect(await find({ text: '100%%' })).toEqual([]);
  expect(await find({ text: 'Owner', state: 'active', game: 'ark-se' })).toContain(id);
  expect(await find({ text: 'böse', state: 'ended' })).toEqual([]);
  expect(await find({ text: 'böse', game: 'minecraft' })).toEqual([]);
  const page = await list(testOwner, { limit: 1 });
  expect(page.nextCursor).toBe(page.rows[0]?.id);
  const next = await list(testOwner, { limit: 1, cursor: page.nextCursor ?? '' });
  expect(Number(next.rows[0]?.id)).toBeLessThan(Number(page.rows[0]?.id));
  await expect(list(testOwner, { limit: 1, cursor: 'x' })).rejects.toThrow();
});
