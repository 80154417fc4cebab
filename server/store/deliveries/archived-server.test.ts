import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import { answered } from '../../servers/agents/testing/scripted-agent.ts';
import { readDeliveryDetails } from '../read-deliveries.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

const noServer = { code: 'no-server', values: [] };
const query = (text: string, values: unknown[]) => store.database.pool.query(text, values);
const shown = (id: string) => readDeliveryDetails(store.database.db, id);
/** The payments of this member's orders, less what came back. */
const paid = async (memberId: string): Promise<number> => {
  const { rows } = await query(
    `select coalesce(sum(case kind when 'purchase' then amount when 'refund' then -amount else 0 end), 0)::int as paid
     from ledger where from_member = $1 or to_member = $1`,
    [memberId],
  );
  return (rows[0] as { paid: number }).paid;
};

// Guarantee: an order for a server that has since been archived says that no server is left, is sent nowhere, and comes
// back in points when it expires.
test.each([
  ['an item, whose player is away', diamond()],
  ['a command that needs no player', say],
])('%s', async (_title, line) => {
  const { memberId } = await store.member(play.newName(), 'minecraft');
  const serverId = await store.server('minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [line], { serverIds: [serverId] });
  await play.run(memberId);
  expect(await shown(id)).toMatchObject({ state: 'waiting' });
  await store.archive(serverId);
  await eventually(async () => {
    await play.run(memberId);
    expect(await shown(id)).toMatchObject({ state: 'waiting', waitsFor: 'server', reason: noServer });
  });
  await store.restart();
  await play.run(memberId);
  expect(await shown(id)).toMatchObject({ reason: noServer, attempts: 0 });
  await query('update deliveries set expires_at = now() where id = $1', [id]);
  await store.deliveries.sweep();
  await store.deliveries.sweep();
  expect(await shown(id)).toMatchObject({ state: 'cancelled', refundedAt: expect.any(String) });
  expect([await store.balance(memberId), await paid(memberId)]).toEqual([1000, 0]);
});

/** Like an external shop or a season places it: it does not expire. */
const buyFrom = async (source: 'shop' | 'season', line: typeof say | ReturnType<typeof diamond>) => {
  const { memberId } = await store.member(play.newName(), 'minecraft');
  const serverId = await store.server('minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [line], { serverIds: [serverId] });
  await query('update orders set source = $2 where id = (select order_id from deliveries where id = $1)', [
    id,
    source,
  ]);
  return { id, memberId, serverId };
};
const toldShops = async (id: string) =>
  (
    await query('select 1 from shop_order_news join deliveries using (order_id) where deliveries.id = $1', [
      id,
    ])
  ).rowCount;

// Guarantee: what an external shop has sold for a server that has since been archived is cancelled, and its shop's
// order is told, whether it waited for its player, for the server, or was not checked yet; a server that is only away
// is waited for.
test.each([
  ['an item, whose player is away', diamond(), true],
  ['a command that needs no player', say, true],
  ['not looked at yet', diamond(), false],
])('of a shop: %s', async (_title, line, isSeen) => {
  const { id, memberId, serverId } = await buyFrom('shop', line);
  if (isSeen) {
    await play.run(memberId);
    await store.deliveries.sweep();
    expect(await shown(id)).toMatchObject({ state: 'waiting' });
  }
  await store.archive(serverId);
  await eventually(async () => {
    await store.deliveries.sweep();
    expect(await shown(id)).toMatchObject({ state: 'cancelled', reason: noServer });
  });
  expect(await toldShops(id)).toBe(1);
});

// Guarantee: in a restored database, what a shop has sold for an archived server is not cancelled: a person decides.
test('of a shop, after a restore', async () => {
  const { id, memberId, serverId } = await buyFrom('shop', diamond());
  await play.run(memberId);
  await query('update deliveries set epoch = (select epoch from store_state) - 1 where id = $1', [id]);
  await store.archive(serverId);
  await eventually(async () => {
    await store.deliveries.sweep();
    expect(await shown(id)).toMatchObject({ state: 'unknown', deskReason: 'restored' });
  });
});

// Guarantee: what a season gives again waits for its server to come back: no one is notified, because nothing was paid.
test('of a season', async () => {
  const { id, memberId, serverId } = await buyFrom('season', diamond());
  await play.run(memberId);
  await store.archive(serverId);
  await eventually(async () => {
    await play.run(memberId);
    expect(await shown(id)).toMatchObject({ reason: noServer });
  });
  await store.deliveries.sweep();
  expect(await shown(id)).toMatchObject({ state: 'waiting', reason: noServer });
});

// Guarantee: a shop's command that the game cannot be sent for this player is cancelled instead of retried forever;
// facts about them that are not known yet are waited for.
test('of a shop: a command that refuses its player', async () => {
  const { memberId, serverId } = await play.recordingServer();
  const buy = async (command: string) => {
    const line = { ...say, command };
    const [id = ''] = await store.buy(memberId, 'minecraft', [line], { serverIds: [serverId] });
    await query(
      `update orders set source = 'shop' where id = (select order_id from deliveries where id = $1)`,
      [id],
    );
    return id;
  };
  const refused = await buy(`say ${'x'.repeat(5000)}`);
  const unknown = await buy('say {handle}');
  await play.run(memberId);
  await eventually(async () => expect(await shown(refused)).toMatchObject({ state: 'cancelled' }));
  expect(await toldShops(refused)).toBe(1);
  await eventually(async () =>
    expect(await shown(unknown)).toMatchObject({ state: 'waiting', waitsFor: 'retry' }),
  );
});

// Guarantee: a server that is put back into use gives what was bought before, once.
test('back in use', async () => {
  await using game = await startMinecraft();
  const name = play.newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  const serverId = await store.server('minecraft', game);
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await play.run(memberId);
  await store.archive(serverId);
  await eventually(async () => expect(await shown(id)).toMatchObject({ reason: noServer }));
  await store.unarchive(serverId);
  game.world.join(name);
  store.join(serverId, playerId, name);
  await eventually(async () => {
    await play.run(memberId);
    expect(await shown(id)).toMatchObject({ state: 'delivered', attempts: 1 });
  });
  expect(game.world.given).toHaveLength(1);
});

// Guarantee: what may have been sent to a server that has since been archived waits at the desk, where a person can pay
// it back although the game cannot be asked any more; what is paid back and was given anyway goes to the desk again,
// and is charged only by decision.
test('what was on its way', async () => {
  const { world, lost, memberId, serverId, name } = await play.recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  lost.next = true;
  store.deliveries.wake([memberId]);
  await eventually(() => expect(world.given).toHaveLength(1));
  await store.archive(serverId);
  await store.deliveries.idle();
  expect(await shown(id)).toMatchObject({ state: 'unknown', deskReason: 'unknown', serverId });
  expect(await store.deliveries.desk.decide([id], 'refund', by)).toEqual([
    { id, isDone: true, detail: null },
  ]);
  expect(await shown(id)).toMatchObject({ state: 'cancelled', refundedAt: expect.any(String) });
  expect(await store.row(id)).toMatchObject({ may_have_arrived: true });
  expect(await store.deliveries.desk.decide([id], 'refund', by)).toMatchObject([{ isDone: false }]);
  expect([await store.balance(memberId), await paid(memberId)]).toEqual([1000, 0]);
  await store.deliveries.takeLate(serverId, `${id}.1`, answered(`Gave 1 [Diamond] to ${name}`));
  expect(await shown(id)).toMatchObject({ deskReason: 'late-result' });
  expect(await store.balance(memberId)).toBe(1000);
});

// Guarantee: a server that is only away is still asked first: nothing is paid back while the game may say that it arrived.
test('a server that is away, and in use', async () => {
  const { world, lost, memberId, serverId } = await play.recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  lost.next = true;
  store.deliveries.wake([memberId]);
  await eventually(() => expect(world.given).toHaveLength(1));
  world.mood = 'starting';
  await store.deliveries.idle();
  expect(await shown(id)).toMatchObject({ state: 'unknown' });
  expect(await store.deliveries.desk.decide([id], 'refund', by)).toMatchObject([{ isDone: false }]);
  expect(await store.balance(memberId)).toBe(990);
});

// Guarantee: a delivery in a restored database whose server has since been archived goes to the desk unsent, and can be paid back there.
test('a restored database', async () => {
  const { memberId, serverId, playerId } = await play.recordingServer();
  store.leave(playerId);
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command, ended_at, evidence)
     values ($1::uuid, 1, $1::text || '.1', $2, 'agent', 'give', now(), '{"guard":{"id":"x","form":"namespaced"}}')`,
    [id, serverId],
  );
  await query(
    `update deliveries set epoch = (select epoch from store_state) - 1, attempts = 1, state = 'waiting', waits_for = 'player',
       server_id = $2 where id = $1`,
    [id, serverId],
  );
  await store.archive(serverId);
  expect(await store.deliveries.desk.cancel(id, by)).toMatchObject({ refused: 'DELIVERY_STATE' });
  expect(await shown(id)).toMatchObject({ state: 'unknown', deskReason: 'restored' });
  expect(await store.deliveries.desk.decide([id], 'refund', by)).toMatchObject([{ isDone: true }]);
  expect([await store.balance(memberId), await paid(memberId)]).toEqual([1000, 0]);
});
