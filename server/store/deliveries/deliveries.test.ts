import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { startMinecraft } from '../../../tests/simulators/minecraft-simulator.ts';
import type { Simulator } from '../../../tests/simulators/simulator.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
const run = (memberId: string) => play.run(memberId);
const newName = () => play.newName();
const recordingServer = () => play.recordingServer();
let game: Simulator;
let direct: string;

beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
  game = await startMinecraft();
  direct = await store.server('minecraft', game);
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await game[Symbol.asyncDispose]();
});

const isConsoleReady = async (memberId: string, id: string) =>
  eventually(async () => {
    await run(memberId);
    expect(await store.row(id)).not.toMatchObject({ waits_for: 'server' });
  });

// Guarantee: purchases arrive once, in the order in which they were bought, and the game's reply proves it.
test('items arrive by console, in order', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  game.world.join(name);
  store.join(direct, playerId, name);
  const ids = await store.buy(memberId, 'minecraft', [diamond(1), diamond(2), diamond(3)], {
    serverIds: [direct],
  });
  await isConsoleReady(memberId, ids[0] ?? '');
  expect(game.world.given.filter(({ player }) => player === name).map(({ quantity }) => quantity)).toEqual([
    1, 2, 3,
  ]);
  for (const id of ids)
    expect(await store.row(id)).toMatchObject({
      state: 'delivered',
      certainty: 'proven',
      way: 'direct',
      attempts: 1,
    });
});

// Guarantee: absence does not count as a try, and what waits continues when the player is there.
test('an absent player is waited for', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [direct] });
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', waits_for: 'player', attempts: 0 });
  game.world.join(name);
  store.join(direct, playerId, name);
  store.deliveries.onPlayersPresent([playerId]);
  await eventually(async () => expect(await store.row(id)).toMatchObject({ state: 'delivered' }));
});

// Guarantee: an item that does not exist fails permanently, gives the points back and says so, and its product stops selling.
test('an item that does not exist', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  game.world.join(name);
  store.join(direct, playerId, name);
  const [id = ''] = await store.buy(memberId, 'minecraft', [{ ...diamond(), item: 'no_such_thing' }], {
    serverIds: [direct],
  });
  expect(await store.balance(memberId)).toBe(990);
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'failed', refunded_at: expect.any(Date) });
  expect(await store.balance(memberId)).toBe(1000);
  const { rows: held } = await store.database.pool.query(
    `select products.held_reason from products join order_lines as sold on sold.product_id = products.id
       join deliveries on deliveries.order_line_id = sold.id where deliveries.id = $1`,
    [id],
  );
  expect(held).toEqual([{ held_reason: 'The game does not know this item.' }]);
  const { rows: told } = await store.database.pool.query(
    `select payload -> 'points' as points from event_logs where kind = 'delivery.failed' and payload ->> 'deliveryId' = $1`,
    [id],
  );
  expect(told).toEqual([{ points: 10 }]);
});

// Guarantee: what may have arrived over a console that settles nothing waits for a person, and is not sent again.
test('a lost answer without a record goes to the desk', async () => {
  const name = newName();
  const { memberId, playerId } = await store.member(name, 'minecraft');
  game.world.join(name);
  store.join(direct, playerId, name);
  const before = game.world.given.length;
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [direct] });
  const original = game.quirks.replyDelayMs;
  game.quirks.replyDelayMs = 60_000;
  await run(memberId);
  game.quirks.replyDelayMs = original;
  expect(await store.row(id)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' });
  await run(memberId);
  expect(game.world.given.length).toBeLessThanOrEqual(before + 1);
});

// Guarantee: through an agent the game's record settles a lost reply, so that the gift is neither lost nor given twice.
test('the record of the game settles a lost answer', async () => {
  const { world, lost, memberId, serverId, name } = await recordingServer();
  lost.next = true;
  const [id = '', next = ''] = await store.buy(memberId, 'minecraft', [diamond(1), diamond(2)], {
    serverIds: [serverId],
  });
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'settled', way: 'agent' });
  expect(await store.row(next)).toMatchObject({ state: 'delivered', certainty: 'proven' });
  expect(world.given).toEqual([`${name} diamond 1`, `${name} diamond 2`]);
});

// Guarantee: after a kill of the API nothing is sent again; the agent is asked what it did.
test('a killed API asks for results', async () => {
  const { world, memberId, serverId, name } = await recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await run(memberId);
  // As if it had died before it stored the end.
  await store.database.pool.query(
    `update deliveries set state = 'sending', certainty = null, ended_at = null where id = $1`,
    [id],
  );
  await store.database.pool.query(
    'update delivery_attempts set ended_at = null, outcome = null where delivery_id = $1',
    [id],
  );
  await store.restart();
  await eventually(async () =>
    expect(await store.row(id)).toMatchObject({ state: 'delivered', attempts: 1 }),
  );
  // With the agent's memory and the API's rows gone, too.
  await store.database.pool.query(
    `update deliveries set state = 'sending', certainty = null, ended_at = null where id = $1`,
    [id],
  );
  await store.database.pool.query('delete from agent_commands');
  await store.restart();
  await eventually(async () =>
    expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'settled' }),
  );
  expect(world.given).toEqual([`${name} diamond 1`]);
});

// Guarantee: what was bought by a member who is merged in between arrives at a player of the remaining one, once.
test('a receiver who is merged meanwhile', async () => {
  const { world, memberId, serverId, name } = await recordingServer();
  const former = await store.member(newName(), 'minecraft');
  const [id = ''] = await store.buy(former.memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await run(former.memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', waits_for: 'player' });
  await store.database.pool.query('update players set member_id = $1 where member_id = $2', [
    memberId,
    former.memberId,
  ]);
  await store.database.pool.query('update members set merged_into = $1 where id = $2', [
    memberId,
    former.memberId,
  ]);
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'delivered' });
  expect(world.given).toEqual([`${name} diamond 1`]);
});

// Guarantee: a product of one game never reaches a server of another, even for the same member.
test('a product of a game that the member does not play', async () => {
  const { world, memberId } = await recordingServer();
  const [id = ''] = await store.buy(memberId, 'ark-se', [{ ...diamond(), item: '7' }]);
  await run(memberId);
  expect(await store.row(id)).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(world.given).toEqual([]);
});

// Guarantee: a server that is away delays nothing on the others.
test('a server that is away holds up nobody', async () => {
  const away = await store.server('minecraft');
  const { memberId, serverId } = await recordingServer();
  const [held = '', other = ''] = [
    ...(await store.buy(memberId, 'minecraft', [{ ...say }], { serverIds: [away] })),
    ...(await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] })),
  ];
  await run(memberId);
  expect(await store.row(held)).toMatchObject({ state: 'waiting', waits_for: 'server', attempts: 0 });
  expect(await store.row(other)).toMatchObject({ state: 'delivered' });
});

// Guarantee: expiry gives the points back, and does not run while there is no license.
test('expiry rests without a license', async () => {
  const { memberId } = await store.member(newName(), 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], {
    expiresAt: new Date(Date.now() + 300),
  });
  store.licensed = false;
  await store.deliveries.sweep();
  await store.database.pool.query(`update store_state set unlicensed_since = now() - interval '1 hour'`);
  await store.database.pool.query(
    `update deliveries set created_at = now() - interval '1 day', expires_at = now() - interval '1 minute' where id = $1`,
    [id],
  );
  await store.deliveries.sweep();
  expect(await store.row(id)).toMatchObject({ state: 'pending' });
  store.licensed = true;
  await store.deliveries.sweep();
  const { expires_at } = await store.row(id);
  expect((expires_at as Date).getTime()).toBeGreaterThan(Date.now() + 3_000_000);
  // Away since a clock that was years behind.
  await store.database.pool.query(`update store_state set unlicensed_since = '2000-01-01'`);
  await store.deliveries.sweep();
  const later = (await store.row(id)).expires_at as Date;
  expect(later.getTime()).toBeLessThan(Date.now() + 2 * 86_400_000);
  await store.database.pool.query('update deliveries set expires_at = now() where id = $1', [id]);
  await store.deliveries.sweep();
  expect(await store.row(id)).toMatchObject({ state: 'cancelled', refunded_at: expect.any(Date) });
  expect(await store.balance(memberId)).toBe(1000);
});

// Guarantee: a copy of the database from before something was sent begins a new epoch, even one from this very run;
// what cannot be settled then waits for a person, unsent.
test('a restored database', async () => {
  const incarnation = async () =>
    (await store.database.db.selectFrom('store_state').select('incarnation').executeTakeFirstOrThrow())
      .incarnation;
  const { memberId } = await store.member(newName(), 'minecraft');
  const command = {
    kind: 'command' as const,
    command: 'say hi',
    success: [],
    failure: [],
    needsPlayer: true,
    quantity: 1,
    position: 0,
  };
  const [item = '', other = ''] = await store.buy(memberId, 'minecraft', [diamond(), command]);
  await store.restart();
  expect(await store.row(other)).toMatchObject({ state: 'pending' });
  const before = await incarnation();
  const sending = await recordingServer();
  await store.buy(sending.memberId, 'minecraft', [diamond()], { serverIds: [sending.serverId] });
  await run(sending.memberId);
  await store.deliveries.sweep();
  expect(await incarnation()).not.toBe(before);
  await store.database.db.updateTable('store_state').set({ incarnation: before }).execute();
  await store.restart();
  expect(await store.row(other)).toMatchObject({ state: 'unknown', desk_reason: 'restored' });
  // The game's record settles it.
  expect((await store.row(item)).state).not.toBe('unknown');
  expect(await store.deliveries.desk.decide([other], 'send-again', by)).toEqual([
    { id: other, isDone: true, detail: null },
  ]);
  expect(await store.row(other)).toMatchObject({ state: expect.stringMatching('pending|waiting') });
});
