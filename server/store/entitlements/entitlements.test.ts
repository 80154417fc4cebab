import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { day, type LastingStore, openLastingStore, type RankedServer } from './testing/lasting-store.ts';

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

// Guarantee: a timed purchase is taken back at its end, once, even if the player is away and the API was not running
// when the end came, and however often it checks.
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

// Guarantee: an API that dies after the counter-command left, and before it heard of it, asks for the result and sends
// nothing again; what the game then says settles it.
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

// Guarantee: a command with an unknown end is not sent again automatically: a person decides, and only their retry sends it.
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

/** A purchase whose delivery waits at the desk, because its reply was lost. @returns the delivery's id */
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

// Guarantee: what was refunded while no one could tell whether it arrived is taken back, unless another purchase holds
// it; what a person or the game says did not arrive is not.
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

// Guarantee: a game that refuses the counter-command is asked again later, at growing intervals, and a person looks in the end.
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
    { state: 'unknown', detail: 'The game rejected the command every time.' },
  ]);
  expect(server.ranked).toContain(name);
});

// Guarantee: a second process does not touch what the first has under way, and the reply that the first waits for settles it.
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

// Guarantee: a pause, or a license that is rejected, while commands are being sent holds back all that have not left.
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

// Guarantee: a server that is away is waited for, for days, and it costs no try; an archived one is given up with a reason.
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
    { state: 'given-up', detail: 'Its server is archived.' },
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
