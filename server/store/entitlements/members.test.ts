import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { eraseMember } from '../../people/members/erase-member.ts';
import { day, type LastingStore, openLastingStore, type RankedServer, vip } from './testing/lasting-store.ts';

let lasting: LastingStore;
let server: RankedServer;
beforeAll(async () => {
  lasting = await openLastingStore();
});
beforeEach(async () => {
  lasting.aheadMs = 0;
  server = await lasting.ranked();
});
afterAll(() => lasting[Symbol.asyncDispose]());

const round = () => lasting.entitlements.round();
const by = { actor: testOwner, address: '127.0.0.1' };

// Guarantee: what both members had is one thing after their merge, which ends once; undoing the merge separates it again.
test('a merge of two who have it', async () => {
  const kept = await lasting.player(server);
  const merged = await lasting.player(server);
  await lasting.buy(kept.memberId);
  await lasting.buy(merged.memberId);
  await round();
  const { pool } = lasting.store.database;
  await pool.query('update members set merged_into = $1 where id = $2', [kept.memberId, merged.memberId]);
  await round();
  await lasting.pass(31 * day);
  await round();
  expect(server.taken).toEqual([]);
  const [both, ...more] = await lasting.entitlements.reading.ofMember(kept.memberId);
  expect(more).toEqual([]);
  expect(both).toMatchObject({
    endedAt: null,
    grants: [{}, {}],
    places: [{ state: 'held' }, { state: 'held' }],
  });
  await pool.query('update members set merged_into = null where id = $1', [merged.memberId]);
  await round();
  expect(server.taken.sort()).toEqual([kept.name, merged.name].sort());
  await round();
  expect(server.taken).toHaveLength(2);
});

// Guarantee: what ended before a merge does not end a second time when the merge is undone.
test('a merge of one whose own is over', async () => {
  const kept = await lasting.player(server);
  const merged = await lasting.player(server);
  await lasting.buy(merged.memberId);
  await round();
  await lasting.pass(31 * day);
  await round();
  await lasting.buy(kept.memberId);
  await round();
  const { pool } = lasting.store.database;
  const ended = async () => {
    const { rows } = await pool.query(
      `select payload ->> 'memberId' as id from event_logs where kind = 'entitlement.ended'
         and payload ->> 'memberId' = any ($1::text[])`,
      [[kept.memberId, merged.memberId]],
    );
    return rows.map(({ id }) => id);
  };
  expect(await ended()).toEqual([merged.memberId]);
  await pool.query('update members set merged_into = $1 where id = $2', [kept.memberId, merged.memberId]);
  await round();
  await pool.query('update members set merged_into = null where id = $1', [merged.memberId]);
  await round();
  expect(await ended()).toEqual([merged.memberId]);
  expect(server.taken).toEqual([merged.name]);
  expect((await lasting.endOf(kept.memberId)).ended_at).toBeNull();
});

// Guarantee: an admin ends it now; nothing is refunded, and it is taken back once.
test('ended by an admin', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  const [found] = await lasting.entitlements.reading.ofMember(memberId);
  const balance = await lasting.store.balance(memberId);
  expect(await lasting.entitlements.decide.end(found?.id ?? '', by)).toBe(found?.id);
  await round();
  expect(server.taken).toEqual([name]);
  expect(await lasting.store.balance(memberId)).toBe(balance);
  expect(await lasting.entitlements.decide.end(found?.id ?? '', by)).toMatchObject({
    refused: 'DELIVERY_STATE',
  });
  const { rows } = await lasting.store.database.pool.query(
    `select payload ->> 'why' as why from event_logs where kind = 'entitlement.ended' and payload ->> 'memberId' = $1`,
    [memberId],
  );
  expect(rows).toEqual([{ why: 'decided' }]);
});

// Guarantee: the rank is taken from the player's current name.
test('a player who was renamed', async () => {
  const { memberId, playerId } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.store.database.pool.query(
    `update players set name = 'Renamed', name_key = 'renamed' where id = $1`,
    [playerId],
  );
  await lasting.pass(31 * day);
  await round();
  expect(server.taken).toEqual(['Renamed']);
});

// Guarantee: an entry on a list, which opens the server to its player, is made and removed while they cannot be there.
test('a player who cannot join yet', async () => {
  const { memberId, playerId, name } = await lasting.player(server);
  lasting.store.leave(playerId);
  await lasting.buy(memberId, { ...vip(), needsPlayer: false } as never, [server.serverId]);
  await round();
  expect(server.given).toEqual([name]);
  expect(await lasting.places(memberId)).toMatchObject([{ state: 'held', player_id: playerId }]);
  await lasting.pass(31 * day);
  await round();
  expect(server.taken).toEqual([name]);
});

// Guarantee: a person is not erased while a game still has something of theirs that only their name can take back.
test('a member who is to be erased', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  const erase = () => lasting.store.database.db.transaction().execute((trx) => eraseMember(trx, memberId, 1));
  expect(await erase()).toMatchObject({ refused: 'DELIVERY_STATE' });
  await lasting.pass(31 * day);
  server.mood = 'refuses';
  await round();
  const [place] = await lasting.places(memberId);
  expect(place).toMatchObject({ state: 'taking' });
  expect(await erase()).toMatchObject({ detail: expect.stringContaining('end it or decide it first') });
  server.mood = 'well';
  await lasting.entitlements.decide.retry(place?.id ?? '', by);
  await round();
  expect(server.taken).toEqual([name]);
  const { pool } = lasting.store.database;
  const sentOf = () => pool.query(`select from agent_commands where id like $1`, [`lasting.${place?.id}.%`]);
  expect((await sentOf()).rows).toHaveLength(2);
  expect(await erase()).toEqual([expect.any(String)]);
  expect(await lasting.places(memberId)).toEqual([]);
  expect((await sentOf()).rows).toEqual([]);
});
