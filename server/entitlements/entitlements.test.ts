import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { eraseMember } from '../members/erase-member.ts';
import { testOwner } from '../testing/feature-api.ts';
import { lockGroup } from './add-up.ts';
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
const statesOf = async (memberId: string) => (await lasting.places(memberId)).map(({ state }) => state);
const by = { actor: testOwner, address: '127.0.0.1' };

// Guarantee: what was bought for a time is taken back at its end, once, though the player is away and the API was not running
// when the end came, and however often it looks.
test('an end during a downtime', async () => {
  const { memberId, playerId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  expect(await statesOf(memberId)).toEqual(['held']);
  expect(server.ranked).toContain(name);
  lasting.store.leave(playerId);
  lasting.kill();
  await lasting.pass(31 * day);
  lasting.begin();
  await round();
  await round();
  lasting.restart();
  await round();
  expect(server.taken).toEqual([name]);
  expect(server.ranked).not.toContain(name);
  expect(await lasting.places(memberId)).toMatchObject([{ state: 'taken', certainty: 'unconfirmed' }]);
});

// Guarantee: an API that dies after the counter-command left, and before it heard of it, asks for the result and sends nothing
// again; what the game then says settles it.
test('a kill between sending and the result', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  server.mood = 'silent';
  void round();
  await eventually(() => expect(server.taken).toEqual([name]));
  lasting.kill();
  expect(await lasting.places(memberId)).toMatchObject([{ state: 'taking', is_sent: true }]);
  await lasting.pass(60);
  lasting.begin();
  server.mood = 'well';
  const recovered = round();
  const [place] = await lasting.places(memberId);
  lasting.tells(server.serverId, place?.command_id ?? '', 'done');
  await recovered;
  await round();
  expect(server.taken).toEqual([name]);
  expect(await statesOf(memberId)).toEqual(['taken']);
});

// Guarantee: a command whose end no one can tell is not sent again by itself: a person decides, and only their retry sends it.
test('a lost answer waits for a person', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  server.mood = 'lost';
  await round();
  await lasting.pass(day);
  await round();
  expect(await statesOf(memberId)).toEqual(['unknown']);
  expect(server.taken).toEqual([name]);
  const [place] = await lasting.places(memberId);
  const { rows } = await lasting.entitlements.reading.list({ state: 'unknown', limit: 10 });
  expect(rows.filter((row) => row.memberId === memberId)).toMatchObject([
    { memberId, key: 'rank:vip', places: [{ state: 'unknown', reason: { code: 'taking-lost' } }] },
  ]);
  server.mood = 'well';
  expect(await lasting.entitlements.decide.retry(place?.id ?? '', by)).toEqual(expect.any(String));
  await round();
  expect(server.taken).toEqual([name, name]);
  expect(await statesOf(memberId)).toEqual(['taken']);
  expect(await lasting.entitlements.decide.done(place?.id ?? '', by)).toMatchObject({
    refused: 'DELIVERY_STATE',
  });
});

/** A purchase whose delivery waits at the desk, since its answer was lost. @returns the delivery's id */
const boughtInDoubt = async (memberId: string): Promise<string> => {
  server.givingMood = 'lost';
  const orderId = await lasting.buy(memberId);
  server.givingMood = 'well';
  const { rows } = await lasting.store.database.pool.query<{ id: string; state: string }>(
    'select id, state from deliveries where order_id = $1',
    [orderId],
  );
  expect(rows).toMatchObject([{ state: 'unknown' }]);
  return rows[0]?.id ?? '';
};

// Guarantee: what was refunded while no one could tell whether it arrived is taken back, unless another purchase holds it; what
// a person or the game says did not arrive is not.
test('a refund of what may have arrived', async () => {
  const { memberId, name } = await lasting.player(server);
  const { desk } = lasting.store.deliveries;
  const lost = await boughtInDoubt(memberId);
  expect(server.ranked).toContain(name);
  expect(await desk.decide([lost], 'refund', by)).toMatchObject([{ isDone: true }]);
  await round();
  expect(server.taken).toEqual([name]);
  expect(await statesOf(memberId)).toEqual(['taken']);

  const held = await lasting.player(server);
  await lasting.buy(held.memberId);
  await round();
  expect(await desk.decide([await boughtInDoubt(held.memberId)], 'refund', by)).toMatchObject([
    { isDone: true },
  ]);
  await round();
  expect(server.ranked).toContain(held.name);
  expect(await statesOf(held.memberId)).toEqual(['held']);

  const withdrawn = await lasting.player(server);
  const id = await boughtInDoubt(withdrawn.memberId);
  await lasting.store.database.pool.query(
    `select castellan_refund_undelivered($1, true, 'It was withdrawn', 'test', null)`,
    [id],
  );
  await round();
  expect(server.taken).toEqual([name]);
  expect(await lasting.places(withdrawn.memberId)).toEqual([]);
});

// Guarantee: what a person sends again after its time was over lasts from then on, and is taken back at that end.
test('sent again after its end', async () => {
  const { memberId, name } = await lasting.player(server);
  const orderId = await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  await round();
  expect(server.taken).toEqual([name]);
  const { pool } = lasting.store.database;
  const { rows } = await pool.query<{ id: string }>(
    `update deliveries set desk_reason = 'late-result', desk_at = now() where order_id = $1 returning id`,
    [orderId],
  );
  const { desk } = lasting.store.deliveries;
  expect(await desk.decide([rows[0]?.id ?? ''], 'send-again', by)).toMatchObject([{ isDone: true }]);
  await lasting.store.deliveries.idle();
  await round();
  expect(server.ranked).toContain(name);
  expect(await lasting.endOf(memberId)).toMatchObject({ ended_at: null });
  expect(await statesOf(memberId)).toEqual(['held']);
  await lasting.pass(31 * day);
  await round();
  expect(server.taken).toEqual([name, name]);
  expect(server.ranked).not.toContain(name);
});

// Guarantee: a command that is sent after a restore of the database has an id that no agent has seen before.
test('a restore between two sendings', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  const [backup] = await lasting.places(memberId);
  await lasting.pass(31 * day);
  await round();
  const [sent] = await lasting.places(memberId);
  await lasting.store.database.pool.query(
    `update entitlement_places set state = 'taking', sends = $2, command_id = $3, tries = 0, next_try_at = now() where id = $1`,
    [backup?.id, backup?.sends, backup?.command_id],
  );
  await round();
  const [again] = await lasting.places(memberId);
  expect(again?.command_id).not.toBe(sent?.command_id);
  expect(again?.command_id?.length).toBeLessThanOrEqual(64);
  expect(server.taken).toEqual([name, name]);
});

// Guarantee: a game that refuses the counter-command is asked again later, ever more seldom, and a person looks in the end.
test('a counter-command that the game refuses', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  server.mood = 'refuses';
  await round();
  await round();
  expect(await lasting.places(memberId)).toMatchObject([{ state: 'taking', tries: 1 }]);
  for (let tries = 1; tries < 10; tries += 1) {
    await lasting.pass(day);
    await round();
  }
  expect(await lasting.places(memberId)).toMatchObject([
    { state: 'unknown', detail: 'The game refused the command each time.' },
  ]);
  expect(server.ranked).toContain(name);
});

// Guarantee: a second process leaves what the first has under way to it, and the answer that the first awaits settles it.
test('two processes', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  server.mood = 'silent';
  const first = lasting.entitlements;
  const sending = first.round();
  await eventually(() => expect(server.taken).toEqual([name]));
  lasting.begin();
  await round();
  const [place] = await lasting.places(memberId);
  expect(place).toMatchObject({ state: 'taking', is_sent: true });
  lasting.tells(server.serverId, place?.command_id ?? '', 'done');
  await sending;
  expect(await statesOf(memberId)).toEqual(['taken']);
  await first[Symbol.asyncDispose]();
});

// Guarantee: a pause, or a license that is rejected, while commands are being sent keeps back all that have not left.
test.each(['pause', 'license'] as const)('a lane that meets a %s', async (what) => {
  const names: string[] = [];
  for (let bought = 0; bought < 3; bought += 1) {
    const { memberId, name } = await lasting.player(server);
    names.push(name);
    await lasting.buy(memberId);
  }
  await round();
  await lasting.pass(31 * day);
  server.onTaken = () => {
    if (what === 'pause') lasting.paused = true;
    else lasting.store.licensed = false;
  };
  await round();
  expect(server.taken).toHaveLength(1);
  server.onTaken = () => undefined;
  lasting.paused = false;
  lasting.store.licensed = true;
  await round();
  expect(server.taken.sort()).toEqual(names.sort());
});

// Guarantee: bought twice, it lasts for the sum; the refund of one takes its part away, and only the last one takes the rank.
test('bought twice, then refunded one by one', async () => {
  const { memberId, name } = await lasting.player(server);
  const first = await lasting.buy(memberId);
  await lasting.pass(10 * day);
  const second = await lasting.buy(memberId);
  await round();
  // The command was sent again: what the player lost in the game is there again.
  expect(server.given).toEqual([name, name]);
  const daysLeft = async () =>
    Math.round((((await lasting.endOf(memberId)).ends_at?.getTime() ?? 0) - Date.now()) / 86_400_000);
  expect(await daysLeft()).toBe(50);
  await lasting.refund(first);
  await round();
  expect(await daysLeft()).toBe(30);
  expect(server.taken).toEqual([]);
  await lasting.refund(second);
  await round();
  expect(server.taken).toEqual([name]);
  expect(await statesOf(memberId)).toEqual(['taken']);
});

// Guarantee: a delivery that arrives does not wait for the adding up of what it adds to.
test('a delivery while it is added up', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  const [found] = await lasting.entitlements.reading.ofMember(memberId);
  await lasting.store.database.db.transaction().execute(async (trx) => {
    expect(await lockGroup(trx, found?.id ?? '')).toMatchObject({ memberId });
    await lasting.buy(memberId);
    expect(server.given).toEqual([name, name]);
    const [more] = await lasting.entitlements.reading.ofMember(memberId);
    expect(more?.grants).toHaveLength(2);
  });
});

// Guarantee: refunds in whatever order end at the same time.
test('refunds in either order', async () => {
  const ends: (number | undefined)[] = [];
  for (const order of [
    [0, 2],
    [2, 0],
  ]) {
    const { memberId } = await lasting.player(server);
    const orders: string[] = [];
    for (let bought = 0; bought < 3; bought += 1)
      orders.push(await lasting.buy(memberId, vip({ days: 10 + bought })));
    await lasting.store.database.pool.query(
      `update entitlement_grants set given_at = date_trunc('day', now()) where entitlement_id in
         (select id from entitlements where member_id = $1)`,
      [memberId],
    );
    for (const at of order) {
      await lasting.refund(orders[at] ?? '');
      await round();
    }
    ends.push((await lasting.endOf(memberId)).ends_at?.getTime());
  }
  expect(ends[0]).toEqual(expect.any(Number));
  expect(ends[1]).toBe(ends[0]);
});

// Guarantee: bought again while its end is being sent, it is given in the end, whatever the counter-command did.
test.each(['well', 'lost'] as const)('bought again while its end is sent: %s', async (mood) => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  server.mood = mood;
  let bought: Promise<unknown> = Promise.resolve();
  server.onTaken = () => {
    server.onTaken = () => undefined;
    bought = lasting.buy(memberId);
  };
  await round();
  await bought;
  await round();
  await round();
  expect(server.ranked).toContain(name);
  expect(await statesOf(memberId)).toEqual(['held']);
});

// Guarantee: bought again before anything was sent, nothing is taken.
test('bought again before its end is sent', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  lasting.paused = true;
  await lasting.pass(31 * day);
  await round();
  expect(server.taken).toEqual([]);
  await lasting.buy(memberId);
  lasting.paused = false;
  await round();
  expect(server.taken).toEqual([]);
  expect(server.ranked).toContain(name);
  expect(await statesOf(memberId)).toEqual(['held']);
});

// Guarantee: a refund while its end is being sent takes nothing back twice.
test('refunded while its end is sent', async () => {
  const { memberId, name } = await lasting.player(server);
  const order = await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  let refunded: Promise<unknown> = Promise.resolve();
  server.onTaken = () => {
    refunded = lasting.refund(order);
  };
  await round();
  await refunded;
  await round();
  expect(server.taken).toEqual([name]);
  expect(await statesOf(memberId)).toEqual(['taken']);
});

// Guarantee: a server that is away is waited for, for days, and it costs no try; one in the archive is given up with a reason.
test('servers that are away', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.leaves(server);
  await lasting.pass(31 * day);
  for (let days = 0; days < 5; days += 1) {
    await round();
    await lasting.pass(day);
  }
  expect(await lasting.places(memberId)).toMatchObject([{ state: 'taking', tries: 0, sends: 0 }]);
  await lasting.joins(server);
  await round();
  expect(server.taken).toEqual([name]);
  const other = await lasting.ranked();
  const guest = await lasting.player(other);
  await lasting.buy(guest.memberId);
  await round();
  await lasting.store.archive(other.serverId);
  await lasting.pass(31 * day);
  await round();
  expect(await lasting.places(guest.memberId)).toMatchObject([
    { state: 'given-up', detail: 'Its server is in the archive.' },
  ]);
});

// Guarantee: a clock that is set back after an end takes nothing back twice, and gives nothing again.
test('a clock that is moved', async () => {
  const { memberId, name } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  lasting.aheadMs = 31 * day * 1000;
  await round();
  expect(server.taken).toEqual([name]);
  lasting.aheadMs = -5 * day * 1000;
  await round();
  lasting.aheadMs = 0;
  await round();
  await lasting.pass(40 * day);
  await round();
  expect(server.taken).toEqual([name]);
  expect(server.given).toEqual([name]);
  expect(await statesOf(memberId)).toEqual(['taken']);
});

// Guarantee: what both members had is one thing after their merge, which ends once; the undoing of the merge parts them again.
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

// Guarantee: what ended before a merge ends no second time when the merge is undone.
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

// Guarantee: while the license is rejected or the queue is paused, nothing is sent.
test('neither licensed nor running', async () => {
  const { memberId } = await lasting.player(server);
  await lasting.buy(memberId);
  await round();
  await lasting.pass(31 * day);
  lasting.store.licensed = false;
  await round();
  lasting.store.licensed = true;
  lasting.paused = true;
  await round();
  lasting.paused = false;
  expect(server.taken).toEqual([]);
  await round();
  expect(server.taken).toHaveLength(1);
});

// Guarantee: the name that the player has today is the one that the rank is taken from.
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

// Guarantee: an entry on a list, which opens the server to its player, is made and taken off while they cannot be there.
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

// Guarantee: a person is not forgotten while a game still has something of theirs that only their name can take back.
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
