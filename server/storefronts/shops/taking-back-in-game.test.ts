import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod';
import type { CommandResult } from '#contracts/servers/games.ts';
import type { Product, productDraft } from '#contracts/store/store.ts';
import { eventually } from '#harness/eventually.ts';
import type { DeliveryRoutes } from '../../kernel/commands/console-router.ts';
import { uncontestedLeases } from '../../kernel/commands/testing/uncontested-leases.ts';
import type { Withdrawal } from '../../store/deliveries/withdraw-gift.ts';
import { byOwner, granted } from '../../store/orders/testing/store-of-a-test.ts';
import { genericEvent, genericPaid } from './testing/documented-events.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

const answered: CommandResult = {
  outcome: 'answered',
  reply: 'ok',
  truncated: false,
  sent: true,
  durationMs: 1,
};
const lost: CommandResult = { ...answered, outcome: 'timeout', reply: null };

/** A fake game at the outer edge: whether it is reachable, what it answers, and what it received. */
const game = {
  isThere: true,
  result: answered as CommandResult | Promise<CommandResult>,
  heard: [] as string[],
};
const ways: DeliveryRoutes = {
  open: () => (game.isThere ? { way: 'direct', connection: 'one' } : null),
  prepare: async (_trx, sendings) =>
    sendings.map(({ command }) => ({
      async run() {
        game.heard.push(command);
        return game.result;
      },
    })),
  leases: uncontestedLeases,
  resultOf: async () => null,
  ask: async () => null,
};
/** What the game says about a delivery with an unknown result. */
let withdrawal: Withdrawal = 'away';

let play: ShopsOfATest;
beforeAll(async () => {
  play = await shopsOfATest({
    ways,
    withdraw: async (ids) => new Map(ids.map((id) => [id, withdrawal])),
  });
});
afterAll(() => play[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(game, { isThere: true, result: answered, heard: [] });
  withdrawal = 'away';
});

const rankLine = {
  kind: 'command' as const,
  command: 'rank add vip {player}',
  counterCommand: 'rank remove vip {player}',
  needsPlayer: false,
};
const itemLine = { kind: 'item' as const, item: 'minecraft:diamond', quantity: 1 };
type Lines = NonNullable<z.input<typeof productDraft>['lines']>;

let made = 0;
/** A shop's order that gave all its lines on a server; one product for each list of lines. */
const given = async (...products: readonly Lines[]) => {
  made += 1;
  const id = `in-game-${made}`;
  const sold: Product[] = [];
  for (const [place, lines] of products.entries())
    sold.push(await play.store.newProduct({ name: `${id} ${place}`, lines }));
  const shop = await play.newShop(
    'generic',
    {},
    sold.map(({ id: productId }, place) => ({ key: `p${place}`, productId, quantity: 1 })),
  );
  const { platformId } = await play.newPlayer();
  const lines = sold.map((_, place) => ({ product: `p${place}`, quantity: 1 }));
  await play.send(shop, genericPaid(id, lines, { game: 'minecraft', platformId }));
  const { orderId } = await play.order(id);
  await play.store.query(
    `with sent as (update deliveries set state = 'delivered', attempts = 1, certainty = 'proven', ended_at = now(), server_id = 'mc'
       where order_id = $1 returning id)
     insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command, ended_at, outcome, evidence)
       select id, 1, id || '.1', 'mc', 'direct', 'given', now(), 'answered', $2 from sent`,
    [
      orderId,
      JSON.stringify({
        values: {
          player: 'Celia',
          platformId,
          handle: null,
          survivorNumber: null,
          quantity: 1,
          orderId,
        },
      }),
    ],
  );
  return { id, shop, orderId: orderId ?? '', sold };
};
/** Settles what is open, including the requests to the game. */
const sweep = async () => {
  await play.shops.sweep();
  await play.store.tried();
  await play.shops.sweep();
};
const report = async (
  order: { id: string; shop: Parameters<ShopsOfATest['send']>[0] },
  type: string,
  more = {},
) => {
  await play.send(order.shop, genericEvent(type, order.id, more));
  await sweep();
};
const taking = (state: string) =>
  expect.objectContaining({ state, ...(state === 'open' ? { reason: 'taking-back' } : {}) });
/** Brings the server back, as seen by the store's sweep. */
const back = async () => {
  game.isThere = true;
  await play.store.counterCommands.sweep();
  await play.store.counterCommands.idle();
  await play.shops.sweep();
};
const toldOf = (id: string) =>
  play.store.query<{ left: string[]; severity: string }>(
    `select payload -> 'left' as left, severity from event_logs
      where kind = 'shop.order-taken-back' and payload ->> 'order' = $1`,
    [id],
  );

// Guarantee: what a command gave is taken back once, and only then is the order shown as taken back.
test('a rank for good', async () => {
  const order = await given([rankLine]);
  await report(order, 'refunded');
  expect(game.heard).toEqual(['rank remove vip Celia']);
  expect(await play.order(order.id)).toMatchObject({ state: 'taken-back', left: [] });
  expect(await toldOf(order.id)).toMatchObject([{ left: [], severity: 'notice' }]);
});

// Guarantee: if a process dies between the refund and the counter-command, another one sends it, once.
test('a process that dies before it sends anything', async () => {
  const order = await given([rankLine]);
  const dying = play.another({
    orders: {
      ...play.store.orders,
      async takeBack(...asked) {
        // The refund commits, and nothing after it happens.
        game.isThere = false;
        await play.store.orders.takeBack(...asked);
        throw new Error('the process dies');
      },
    },
  });
  play.license.holds = false;
  await report(order, 'disputed');
  play.license.holds = true;
  await dying.sweep();
  expect(await play.order(order.id)).toMatchObject({ state: 'open' });
  game.isThere = true;
  await eventually(async () => {
    await play.shops.sweep();
    expect(await play.order(order.id)).toEqual(taking('taken-back'));
  });
  expect(game.heard).toHaveLength(1);
});

// Guarantee: while the server is away, the order shows as being taken back, however often it is checked; afterwards it is taken back.
test('a server that is away and comes back', async () => {
  const order = await given([rankLine]);
  game.isThere = false;
  await report(order, 'disputed');
  await play.shops.sweep();
  expect(await play.order(order.id)).toMatchObject({
    state: 'open',
    reason: 'taking-back',
    said: { reason: { code: 'taking-waits' } },
  });
  expect(await toldOf(order.id)).toEqual([]);
  await back();
  await play.shops.sweep();
  expect(game.heard).toHaveLength(1);
  expect(await play.order(order.id)).toMatchObject({ state: 'taken-back', left: [] });
});

// Guarantee: once begun, taking back an order runs to its end: if a dispute is won in between, a person is asked.
test('a dispute that is won while the server is away', async () => {
  const order = await given([rankLine]);
  game.isThere = false;
  await report(order, 'disputed', { disputeId: 'd1' });
  await report(order, 'dispute-won', { disputeId: 'd1' });
  expect(await play.order(order.id)).toEqual(taking('open'));
  await back();
  const waiting = await play.order(order.id);
  expect(waiting).toMatchObject({ state: 'person', reason: 'dispute-won' });
  expect(game.heard).toHaveLength(1);
  const again = granted(await play.shops.orders.give(waiting.id, waiting.version, byOwner));
  expect(again).toMatchObject({ state: 'given' });
  await play.shops.sweep();
  expect(await play.order(order.id)).toMatchObject({ state: 'given' });
});

// Guarantee: a game that never answers is sent the command once, and the order and its event say that the result is unknown.
test('a game that never answers', async () => {
  const order = await given([rankLine]);
  game.result = lost;
  await report(order, 'refunded');
  await back();
  expect(game.heard).toHaveLength(1);
  const left = [{ product: `${order.id} 0`, isCertain: false }];
  expect(await play.order(order.id)).toMatchObject({ state: 'taken-back', left });
  expect(await toldOf(order.id)).toMatchObject([{ left: [`${order.id} 0`], severity: 'warning' }]);
});

// Guarantee: what no command takes back is named as still in the game.
test('an item, and a command that nothing takes back', async () => {
  const order = await given([itemLine], [rankLine], [{ ...rankLine, counterCommand: undefined }]);
  await report(order, 'refunded');
  expect(await play.order(order.id)).toMatchObject({
    state: 'taken-back',
    left: [
      { product: `${order.id} 0`, isCertain: true },
      { product: `${order.id} 2`, isCertain: true },
    ],
  });
  expect(await toldOf(order.id)).toMatchObject([{ left: [`${order.id} 0`, `${order.id} 2`] }]);
  // A person looks in the game, and says so.
  const { id, version } = await play.order(order.id);
  expect(granted(await play.shops.orders.dismiss(id, version, byOwner))).toMatchObject({
    state: 'set-aside',
  });
  await sweep();
  expect(await play.order(order.id)).toMatchObject({ state: 'set-aside', reason: 'refunded' });
});

// Guarantee: a hanging game holds up no shop order, whether or not it involves that game; once it answers, the order is
// taken back without another event.
test('a game that hangs', async () => {
  const hanging = Promise.withResolvers<CommandResult>();
  game.result = hanging.promise;
  const stuck = [await given([rankLine]), await given([rankLine])];
  const other = await given([itemLine]);
  play.license.holds = false;
  for (const { shop, id } of [...stuck, other]) await play.send(shop, genericEvent('refunded', id));
  play.license.holds = true;
  await play.shops.sweep();
  for (const { id } of stuck) expect(await play.order(id)).toEqual(taking('open'));
  expect(await play.order(other.id)).toMatchObject({ state: 'taken-back' });
  hanging.resolve(answered);
  await eventually(async () => {
    for (const { id } of stuck) expect(await play.order(id)).toMatchObject({ state: 'taken-back', left: [] });
  });
});

// Guarantee: two processes that take back at the same moment send one command.
test('two processes at once', async () => {
  const order = await given([rankLine]);
  play.license.holds = false;
  await report(order, 'refunded');
  play.license.holds = true;
  const other = play.another();
  const counters = play.store.newCounterCommands();
  await Promise.all([play.shops.sweep(), other.sweep(), counters.sweep(), counters.sweep()]);
  // Either may have sent it.
  await Promise.all([counters.idle(), play.store.counterCommands.idle()]);
  await play.shops.sweep();
  expect(game.heard).toHaveLength(1);
  expect(await play.order(order.id)).toEqual(taking('taken-back'));
});

// Guarantee: one delivery whose game cannot be asked holds up nothing else in its order, not even of its product.
test('a delivery that cannot be asked beside a rank', async () => {
  const order = await given([itemLine, rankLine], [rankLine]);
  await play.store.query(
    `update deliveries set state = 'unknown', certainty = null, ended_at = null
      where order_id = $1 and line ->> 'kind' = 'item'`,
    [order.orderId],
  );
  await report(order, 'disputed');
  expect(game.heard).toHaveLength(2);
  expect(await play.order(order.id)).toEqual(taking('open'));
  const openRows = () =>
    play.store.query('select 1 from deliveries where order_id = $1 and refunded_at is null', [order.orderId]);
  expect(await openRows()).toHaveLength(1);
  await play.shops.sweep();
  withdrawal = 'safe';
  await play.shops.sweep();
  expect(await openRows()).toHaveLength(0);
  expect(await play.order(order.id)).toMatchObject({ state: 'taken-back', left: [] });
  expect(game.heard).toHaveLength(2);
});

// Guarantee: products that are refunded separately are taken back by the same rules.
test('a part while the server is away', async () => {
  const order = await given([rankLine], [rankLine]);
  game.isThere = false;
  await report(order, 'refunded', { lines: [{ product: 'p0', quantity: 1 }] });
  expect(await play.order(order.id)).toEqual(taking('open'));
  await back();
  expect(await play.order(order.id)).toMatchObject({ state: 'given' });
  expect(game.heard).toHaveLength(1);
});

// Guarantee: an order that was refunded in the panel is taken back when its server comes back; what a person refunded at the
// desk before stays as decided.
test('a refund in the panel', async () => {
  const order = await given([rankLine], [rankLine]);
  const [first = ''] = (
    await play.store.query<{ id: string }>('select id from deliveries where order_id = $1 order by number', [
      order.orderId,
    ])
  ).map(({ id }) => id);
  await play.store.query(`select castellan_refund_delivery($1, 'desk', null)`, [first]);
  game.isThere = false;
  granted(await play.store.orders.refund(order.orderId, null, byOwner));
  await back();
  expect(game.heard).toHaveLength(1);
  await report(order, 'refunded');
  expect(game.heard).toHaveLength(1);
  expect(await play.order(order.id)).toMatchObject({
    state: 'taken-back',
    left: [{ product: `${order.id} 0`, isCertain: true }],
  });
});

// Guarantee: what arrived although it was refunded, and is charged again at the desk, is taken back from an order that was
// taken back, whole or by product.
test.each([
  ['whole', {}],
  ['by its product', { lines: [{ product: 'p0', quantity: 1 }] }],
])('charged again, %s', async (_how, refund) => {
  const order = await given([rankLine], [{ ...rankLine, counterCommand: 'rank keep {player}' }]);
  const [late] = await play.store.query<{ id: string }>(
    `update deliveries set state = 'unknown', certainty = null, ended_at = null
      where order_id = $1 and line ->> 'counterCommand' like 'rank remove%' returning id`,
    [order.orderId],
  );
  withdrawal = 'uncertain';
  await report(order, 'refunded', refund);
  const { state } = await play.order(order.id);
  game.heard.length = 0;
  await play.shops.sweep();
  await play.store.query(`select castellan_charge_again($1, 'test', null)`, [late?.id]);
  await sweep();
  expect(game.heard).toEqual(['rank remove vip Celia']);
  expect((await play.order(order.id)).state).toBe(state);
  const counting = await play.store.query('select 1 from deliveries where id = $1 and refunded_at is null', [
    late?.id,
  ]);
  expect(counting).toHaveLength(0);
});

/** Wipes the server that gave it, after everything given so far. */
const wipe = () =>
  play.store.query(
    `insert into seasons (id, name, game, scope_server_ids, state, began_at, balances, actor)
       select 'wipe ' || $1, 'Wipe', 'minecraft', '{mc}', 'done', max(ended_at) + interval '1 millisecond', '{}', 'test'
         from deliveries`,
    [made],
  );
const givenAgainOnWipe = async (productId: string | undefined) =>
  play.store.query(`update products set on_wipe = 'regrant' where id = $1`, [productId]);

// Guarantee: what a wipe took, and a season gives again, is neither taken back in the new world nor named as left; other
// commands are taken back, even one that has waited for its server since before the wipe.
test('a refund after a wipe', async () => {
  const order = await given([rankLine], [itemLine], [{ ...rankLine, counterCommand: 'rank keep {player}' }]);
  for (const { id } of order.sold.slice(0, 2)) await givenAgainOnWipe(id);
  await wipe();
  await report(order, 'refunded');
  expect(game.heard).toEqual(['rank keep Celia']);
  expect(await play.order(order.id)).toMatchObject({ state: 'taken-back', left: [] });

  const away = await given([rankLine], [{ ...rankLine, counterCommand: 'rank keep {player}' }]);
  await givenAgainOnWipe(away.sold[0]?.id);
  Object.assign(game, { isThere: false, heard: [] });
  await report(away, 'refunded');
  await wipe();
  await back();
  expect(game.heard).toEqual(['rank keep Celia']);
  expect(await play.order(away.id)).toMatchObject({ state: 'taken-back', left: [] });

  // With nothing to take back, its server is not waited for.
  const wiped = await given([rankLine]);
  await givenAgainOnWipe(wiped.sold[0]?.id);
  await wipe();
  game.isThere = false;
  await report(wiped, 'refunded');
  expect(await play.order(wiped.id)).toMatchObject({ state: 'taken-back', left: [] });
});
