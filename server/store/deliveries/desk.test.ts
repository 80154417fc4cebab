import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { by, diamond, openStoreInPlay, type StoreInPlay, say } from './testing/store-in-play.ts';

let play: StoreInPlay;
let store: StoreInPlay['store'];
const run = (memberId: string) => play.run(memberId);
const newName = () => play.newName();
const recordingServer = () => play.recordingServer();

beforeAll(async () => {
  play = await openStoreInPlay();
  store = play.store;
});
afterAll(() => store[Symbol.asyncDispose]());

// Guarantee: what the game forgot in a crash is reported, and neither refunded nor sent again automatically.
test('a crash of the game rolls back', async () => {
  const { world, memberId, serverId } = await recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await run(memberId);
  world.crash();
  store.deliveries.onServerBack(serverId);
  await eventually(async () =>
    expect(await store.row(id)).toMatchObject({
      state: 'delivered',
      rolled_back_at: expect.any(Date),
      desk_reason: 'rolled-back',
    }),
  );
  expect(await store.balance(memberId)).toBe(990);
});

// Guarantee: two admins who refund at the same time refund once, after the gift was withdrawn, so that it cannot arrive any more.
test('a refund withdraws the gift first', async () => {
  const { world, memberId, serverId } = await recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await store.database.pool.query(
    `with attempt as (insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command, evidence)
       values ($1, 1, $2, $3, 'agent', 'give', $4))
     update deliveries set state = 'unknown', attempts = 1, server_id = $3, way = 'agent', desk_reason = 'unknown', desk_at = now()
     where id = $1`,
    [
      id,
      `${id}.1`,
      serverId,
      JSON.stringify({
        values: {
          player: 'x',
          platformId: null,
          handle: null,
          survivorNumber: null,
          quantity: 1,
          orderId: 'o',
        },
        guard: { id: `${id}-1`, form: 'namespaced' },
        presentBefore: true,
      }),
    ],
  );
  const line = async () =>
    (
      await store.database.pool.query(
        `select stock, undone_at is not null as undone, restocked_at is not null as restocked
         from order_lines join products on products.id = product_id
         where order_lines.id = (select order_line_id from deliveries where deliveries.id = $1)`,
        [id],
      )
    ).rows[0];
  await store.database.pool.query(
    `update products set stock = 5 where id = (select product_id from order_lines join deliveries on order_line_id = order_lines.id where deliveries.id = $1)`,
    [id],
  );
  const decided = await Promise.all([
    store.deliveries.desk.decide([id], 'refund', by),
    store.deliveries.desk.decide([id], 'refund', by),
  ]);
  expect(decided.flat().filter(({ isDone }) => isDone)).toHaveLength(1);
  expect(world.marks.get(`${id}-1`)).toBe('2b');
  expect(await store.row(id)).toMatchObject({ state: 'cancelled', desk_reason: null });
  expect(await store.balance(memberId)).toBe(1000);
  expect(await line()).toEqual({ stock: 6, undone: true, restocked: true });
  // Proven after all: it stays refunded, and a person may charge again, once. It then counts as bought again.
  await store.deliveries.takeLate(serverId, `${id}.1`, {
    outcome: 'answered',
    reply: 'Gave 1 [Diamond] to x',
    truncated: false,
    sent: true,
    durationMs: 1,
  });
  expect(await store.row(id)).toMatchObject({ state: 'cancelled', desk_reason: 'late-result' });
  expect(await store.balance(memberId)).toBe(1000);
  const charged = await Promise.all([
    store.deliveries.desk.decide([id], 'charge-again', by),
    store.deliveries.desk.decide([id], 'charge-again', by),
  ]);
  expect(charged.flat().filter(({ isDone }) => isDone)).toHaveLength(1);
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'proven', desk_reason: null });
  expect(await store.balance(memberId)).toBe(990);
  expect(await line()).toEqual({ stock: 5, undone: false, restocked: false });
});

// Guarantee: what may have arrived is paid back by decision, and does not go back into the stock.
test('the stock after a refund of what no one can tell', async () => {
  const { memberId } = await store.member(newName(), 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [say]);
  const { rows } = await store.database.pool.query<{ id: string }>(
    `update products set stock = 5 where id = (select product_id from order_lines join deliveries on order_line_id = order_lines.id where deliveries.id = $1) returning id`,
    [id],
  );
  await store.database.pool.query(
    `update deliveries set state = 'unknown', desk_reason = 'unknown', desk_at = now() where id = $1`,
    [id],
  );
  expect(await store.deliveries.desk.decide([id], 'refund', by)).toMatchObject([{ isDone: true }]);
  expect(await store.balance(memberId)).toBe(1000);
  expect(
    (await store.database.pool.query('select stock from products where id = $1', [rows[0]?.id])).rows,
  ).toEqual([{ stock: 5 }]);
});

// Guarantee: charging again takes no more than there is, and then changes nothing.
test('charging again for what the member cannot pay', async () => {
  const { memberId } = await store.member(newName(), 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [say]);
  await store.deliveries.desk.cancel(id, by);
  await store.database.pool.query(
    `update deliveries set desk_reason = 'late-result', desk_at = now() where id = $1`,
    [id],
  );
  await store.database.pool.query(
    `insert into ledger (kind, from_account, from_member, to_account, amount, actor) values ('correction', 'wallet', $1, 'issued', 995, 'test')`,
    [memberId],
  );
  expect(await store.deliveries.desk.decide([id], 'charge-again', by)).toEqual([
    { id, isDone: false, detail: 'The member does not have enough points.' },
  ]);
  expect(await store.row(id)).toMatchObject({ state: 'cancelled', desk_reason: 'late-result' });
  expect(await store.balance(memberId)).toBe(5);
});

// Guarantee: a member who cancels gets the points back once, and what was sent is not cancelled.
test('cancel and retry', async () => {
  const { memberId } = await store.member(newName(), 'minecraft');
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()]);
  await run(memberId);
  expect(await store.deliveries.desk.retry(id, by)).toBeNull();
  const cancelled = await Promise.all([
    store.deliveries.desk.cancel(id, by),
    store.deliveries.desk.cancel(id, by),
  ]);
  expect(cancelled.filter((refused) => refused === null)).toHaveLength(1);
  expect(await store.balance(memberId)).toBe(1000);
  expect(await store.deliveries.desk.retry(id, by)).toMatchObject({ refused: 'DELIVERY_STATE' });
});

// Guarantee: a rule decides existing and future deliveries, and a person's decision sends again with a new mark.
test('rules, and sending again', async () => {
  const { world, memberId, serverId, name } = await recordingServer();
  const [id = ''] = await store.buy(memberId, 'minecraft', [diamond()], { serverIds: [serverId] });
  await run(memberId);
  world.crash();
  store.deliveries.onServerBack(serverId);
  await eventually(async () => expect(await store.row(id)).toMatchObject({ desk_reason: 'rolled-back' }));
  expect(await store.deliveries.desk.decide([id], 'send-again', by)).toEqual([
    { id, isDone: true, detail: null },
  ]);
  await store.deliveries.idle();
  expect(await store.row(id)).toMatchObject({
    state: 'delivered',
    generation: 2,
    attempts: 2,
    desk_reason: null,
  });
  expect(world.given).toEqual([`${name} diamond 1`, `${name} diamond 1`]);
  await store.database.pool.query(
    `update deliveries set state = 'unknown', certainty = null, desk_reason = 'unknown', desk_at = now() where id = $1`,
    [id],
  );
  expect(
    await store.deliveries.rules.set({ serverId, productId: null, decision: 'delivered' }, by),
  ).toHaveLength(1);
  expect(await store.row(id)).toMatchObject({ state: 'delivered', certainty: 'decided', desk_reason: null });
  // What was sent again once already is left to a person.
  await store.database.pool.query(
    `update deliveries set state = 'unknown', certainty = null, desk_reason = 'unknown', desk_at = now() where id = $1`,
    [id],
  );
  await store.deliveries.rules.set({ serverId, productId: null, decision: 'send-again' }, by);
  expect(await store.row(id)).toMatchObject({ state: 'unknown', generation: 2 });
});

// Guarantee: entries that a rule must skip take no one else's turn, however many they are.
test('a rule behind many that it passes over', async () => {
  const serverId = await store.server('minecraft');
  const { memberId } = await store.member(newName(), 'minecraft');
  const ids = await store.buy(
    memberId,
    'minecraft',
    Array.from({ length: 1000 }, () => say),
    { points: 1, serverIds: [serverId] },
  );
  // In the order of their ids all but the last were already sent again once.
  await store.database.pool.query(
    `update deliveries set state = 'unknown', desk_reason = 'unknown', desk_at = now(), server_id = $2,
       generation = case when id = (select max(id::text) from unnest($1::uuid[]) as given (id))::uuid then 1 else 2 end
     where id = any ($1::uuid[])`,
    [ids, serverId],
  );
  await store.deliveries.rules.set({ serverId, productId: null, decision: 'send-again' }, by);
  const last = ids.toSorted().at(-1) ?? '';
  expect(await store.row(last)).toMatchObject({ desk_reason: null, generation: 2 });
  await store.deliveries.rules.set({ serverId, productId: null, decision: null }, by);
}, 30_000);

// Guarantee: a late result settles what no one has decided; after a decision to send again both are shown as doubled;
// and the sweep finds deliveries that no job announces.
test('late results', async () => {
  const serverId = await store.server('minecraft');
  let answers = 0;
  await store.agent(serverId, (command) => {
    answers += 1;
    return answers <= 2 ? null : `did ${command}`;
  });
  await eventually(() => expect(store.gateway.gateway.connectionOf(serverId)).not.toBeNull());
  const { memberId } = await store.member(newName(), 'minecraft');
  const line = { ...say, success: ['did *'], failure: ['no *'] };
  const buy = async () =>
    (await store.buy(memberId, 'minecraft', [line], { serverIds: [serverId] }))[0] ?? '';
  const late = (id: string, reply: string) =>
    store.deliveries.takeLate(serverId, id, {
      outcome: 'answered',
      reply,
      truncated: false,
      sent: true,
      durationMs: 1,
    });
  const settled = await buy();
  await store.deliveries.sweep();
  await store.deliveries.idle();
  expect(await store.row(settled)).toMatchObject({ state: 'unknown', desk_reason: 'unknown' });
  expect(await late(`${settled}.1`, 'did it')).toBe(true);
  expect(await store.row(settled)).toMatchObject({
    state: 'delivered',
    certainty: 'proven',
    desk_reason: null,
  });
  expect(await late(`${settled}.1`, 'did it')).toBe(true);
  expect(await late('console-1', 'did it')).toBe(false);

  const doubled = await buy();
  await run(memberId);
  await store.deliveries.desk.decide([doubled], 'send-again', by);
  await store.deliveries.idle();
  expect(await store.row(doubled)).toMatchObject({
    state: 'delivered',
    generation: 2,
    attempts: 2,
    doubled_at: null,
  });
  await late(`${doubled}.1`, 'did it');
  expect(await store.row(doubled)).toMatchObject({ state: 'delivered', doubled_at: expect.any(Date) });

  const failed = await buy();
  await store.database.pool.query(
    `update deliveries set state = 'delivered', certainty = 'decided', attempts = 1, server_id = $2, way = 'agent' where id = $1`,
    [failed, serverId],
  );
  await store.database.pool.query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command, evidence)
     select $1, 1, $2, $3, 'agent', 'say hi', evidence from delivery_attempts where command_id = $4`,
    [failed, `${failed}.1`, serverId, `${settled}.1`],
  );
  await late(`${failed}.1`, 'no room');
  expect(await store.row(failed)).toMatchObject({
    state: 'delivered',
    desk_reason: 'late-result',
    refunded_at: null,
  });
  const before = await store.balance(memberId);
  await store.deliveries.desk.decide([failed], 'refund', by);
  expect(await store.balance(memberId)).toBe(before + 10);

  // Nothing is stored again for a receiver who has since been erased.
  await store.database.pool.query(
    `update delivery_attempts set command = '', evidence = '{}', reply = null where delivery_id = $1`,
    [settled],
  );
  expect(await late(`${settled}.1`, 'no it')).toBe(true);
  expect(await store.row(settled)).toMatchObject({ state: 'delivered', desk_reason: null });
});
