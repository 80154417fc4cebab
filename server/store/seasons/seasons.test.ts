import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOwner, draftOf, granted, orderOf } from '../orders/testing/store-of-a-test.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { planOf, type SeasonsOfATest, seasonsOfATest } from './testing/seasons-of-a-test.ts';

let bench: SeasonsOfATest;
beforeAll(async () => {
  bench = await seasonsOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const regrant = { onWipe: 'regrant' } as const;
const stepsOf = (seasonId: string) =>
  bench.store.query<{ kind: string; state: string }>(
    'select kind, state from season_steps where season_id = $1 order by id',
    [seasonId],
  );
const openOf = async (memberId: string): Promise<number> => {
  const [row] = await bench.store.query<{ count: string }>(
    `select count(*) from deliveries where member_id = $1 and state in ('pending', 'waiting')`,
    [memberId],
  );
  return Number(row?.count);
};

// Guarantee: what the preview says about members, pieces, points and limits happens once, with a ledger entry for each
// balance and an order for each regrant; what no rule names stays.
test('a preview and its season', async () => {
  const { store } = bench;
  const [ann, bob, poor] = [
    await store.newMember(1000),
    await store.newMember(500),
    await store.newMember(100),
  ];
  const kept = await store.newProduct({ ...regrant, regrantMost: 2 });
  const plain = await store.newProduct({ limits: { perMember: 5 } });
  await bench.has(ann, kept.id, 5);
  await bench.has(bob, kept.id, 1);
  await bench.has(bob, plain.id, 5);
  const refunded = await bench.has(poor, kept.id, 1);
  granted(await store.orders.refund(refunded, null, byOwner));
  await bench.has(
    ann,
    (
      await store.newProduct({
        ...regrant,
        game: 'ark-se',
        lines: [{ kind: 'command', command: 'x', needsPlayer: false }],
      })
    ).id,
    1,
    'ark',
  );

  const plan = {
    balances: { kind: 'cap' as const, most: 100, whose: 'everyone' as const },
    limitProductIds: [plain.id],
  };
  const shown = await bench.preview(plan);
  expect(shown).toMatchObject({
    servers: [{ id: 'mc' }],
    regrants: [{ productId: kept.id, members: 2, pieces: 3, most: 2, hindrance: null }],
    balances: { members: 2, taken: 1000 - 50 - 10 - 100 + 500 - 60 - 100 },
    limits: [{ productId: plain.id, isReset: true }],
    open: { deliveries: 0, members: 0 },
  });
  const id = await bench.run({ ...plan, announcement: { en: 'Hello', 'pt-BR': 'Olá' } });
  expect(granted(await bench.seasons.read(id))).toMatchObject({
    state: 'done',
    members: 2,
    pieces: 3,
    pointsTaken: shown.balances.taken,
    progress: { waiting: 0, done: 5, skipped: 0, undone: 0 },
    hindered: [],
  });
  expect(await bench.regranted(id)).toEqual({ [ann]: 2, [bob]: 1 });
  for (const member of [ann, bob, poor]) expect(await store.balance(member)).toBe(100);
  const entries = await store.query(
    `select from_member from ledger where kind = 'season' and from_account = 'wallet' and to_account = 'issued'`,
  );
  expect(entries).toHaveLength(2);
  expect(await ledgerSum(store.database.db)).toBe(0);
  expect(bench.said.toSorted()).toEqual(['mc: Hello', 'mc: Olá']);
  // A member who has used up a limit may buy again.
  granted(
    await store.orders.place(orderOf({ memberId: bob, lines: [{ productId: plain.id }] }), null, byOwner),
  );
  const [events] = await store.query<{ payload: object }>(
    `select payload from event_logs where kind = 'season.began'`,
  );
  expect(events?.payload).toMatchObject({ name: 'Winter', by: 'Owner', members: 2, pieces: 3 });
  expect(await store.query(`select from audit_logs where action = 'seasons.begin'`)).toHaveLength(1);
});

// Guarantee: what was given again counts as received at the next wipe, and an earlier wipe gives nothing again; a season's
// gifts count towards no limit.
test('the season after', async () => {
  const { store } = bench;
  const ann = await store.newMember(1000);
  const { id: productId } = await store.newProduct({ ...regrant, limits: { perMember: 3 } });
  await bench.has(ann, productId, 2);
  const first = await bench.run();
  expect(await bench.regranted(first)).toMatchObject({ [ann]: 2 });
  const [given] = await store.query<{ order_id: string }>(
    'select order_id from season_steps where season_id = $1 and member_id = $2',
    [first, ann],
  );
  await bench.deliver(given?.order_id ?? '');
  await bench.has(ann, productId, 1);
  const second = await bench.run();
  expect(await bench.regranted(second)).toMatchObject({ [ann]: 3 });
});

// Guarantee: what a season gives again comes out of no stock, and its undo returns nothing that was never taken.
test('a stock', async () => {
  const { store } = bench;
  const ann = await store.newMember(100);
  const { id: productId } = await store.newProduct({ ...regrant, stock: 5 });
  const stock = async () =>
    (await store.query('select stock from products where id = $1', [productId])) as { stock: number }[];
  await bench.has(ann, productId, 2);
  const id = await bench.run();
  expect(await bench.regranted(id)).toMatchObject({ [ann]: 2 });
  expect(await stock()).toEqual([{ stock: 3 }]);
  granted(await bench.seasons.undo(id, byOwner));
  await bench.seasons.idle();
  expect(granted(await bench.seasons.read(id)).state).toBe('undone');
  expect(await stock()).toEqual([{ stock: 3 }]);
});

// Guarantee: what a member gets again of a product is given completely, however many deliveries it takes, and undone completely.
test('more than one order may hold', async () => {
  const { store } = bench;
  const ann = await store.newMember(100_000);
  const { id: productId } = await store.newProduct({
    ...regrant,
    lines: [{ kind: 'command', command: 'kit {player}' }],
  });
  await bench.has(ann, productId, 900);
  await bench.has(ann, productId, 300);
  expect((await bench.preview()).regrants).toContainEqual(
    expect.objectContaining({ productId, pieces: 1200, members: 1, hindrance: null }),
  );
  const id = await bench.run();
  expect(await bench.regranted(id)).toMatchObject({ [ann]: 1200 });
  expect(await openOf(ann)).toBe(1200);
  expect(granted(await bench.seasons.read(id)).hindered).toEqual([]);
  granted(await bench.seasons.undo(id, byOwner));
  await bench.seasons.idle();
  expect(granted(await bench.seasons.read(id))).toMatchObject({ state: 'undone', pieces: 0 });
  expect(await openOf(ann)).toBe(0);
});

// Guarantee: the preview says so when one piece of a product no longer fits any order, and nothing is tried.
test('a piece that is too large', async () => {
  const { store } = bench;
  const ann = await store.newMember(1000);
  const product = await store.newProduct(regrant);
  await bench.has(ann, product.id);
  const { version } = granted(await store.catalogue.read(product.id));
  const lines = Array.from({ length: 2 }, () => ({
    kind: 'item' as const,
    item: 'minecraft:diamond',
    quantity: 100_000,
  }));
  granted(await store.catalogue.change(product.id, { ...draftOf({ ...regrant, lines }), version }, byOwner));
  expect((await bench.preview()).regrants).toContainEqual(
    expect.objectContaining({ productId: product.id, reason: { code: 'piece-too-large', values: [] } }),
  );
  const id = await bench.run();
  expect(await bench.regranted(id)).not.toHaveProperty(ann);
});

// Guarantee: a season of one server gives again, on that server only, what arrived there, and leaves another server's alone.
test('a season of some servers', async () => {
  const { store } = bench;
  await store.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     values ('mc2', 'c', 'MC2', 'mc2', 'minecraft', 2)`,
  );
  const [ann, bob] = [await store.newMember(100), await store.newMember(100)];
  const { id: productId } = await store.newProduct(regrant);
  await bench.has(ann, productId, 1, 'mc');
  await bench.has(bob, productId, 1, 'mc2');
  const id = await bench.run({ serverIds: ['mc2'] });
  expect(await bench.regranted(id)).toEqual({ [bob]: 1 });
  const deliveries = await store.query(
    'select server_ids from deliveries join season_steps using (order_id) where season_id = $1',
    [id],
  );
  expect(deliveries).toEqual([{ server_ids: ['mc2'] }]);
  await store.query(`update game_servers set archived_at = now() where id = 'mc2'`);
});

// Guarantee: an order line is given again for the pieces that arrived here and were not refunded, neither fewer because some
// are open nor more because they came with others.
test('a line of which a part arrived', async () => {
  const { store } = bench;
  await store.query(`update products set on_wipe = 'nothing'`);
  await store.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     values ('mc3', 'c', 'MC3', 'mc3', 'minecraft', 3)`,
  );
  const hello = { kind: 'command' as const, command: 'say hi', needsPlayer: false };
  const [single, double] = [
    await store.newProduct({ ...regrant, name: 'One', lines: [hello] }),
    await store.newProduct({ ...regrant, name: 'Two', lines: [hello, { ...hello, command: 'say ho' }] }),
  ];
  const order = async (productId: string) => {
    const memberId = await store.newMember(100);
    const { id, deliveries } = granted(
      await store.orders.place(orderOf({ memberId, lines: [{ productId, quantity: 10 }] }), null, byOwner),
    );
    return { memberId, id, ids: deliveries.map((one) => one.id) };
  };
  const arrive = (ids: readonly string[], serverId: string) =>
    store.query(
      `update deliveries set state = 'delivered', certainty = 'proven', server_id = $2, ended_at = now()
       where id = any ($1)`,
      [ids, serverId],
    );
  const [open, failed, split, uneven] = [
    await order(single.id),
    await order(single.id),
    await order(single.id),
    await order(double.id),
  ];
  await arrive(open.ids.slice(0, 9), 'mc');
  await arrive(failed.ids.slice(0, 1), 'mc');
  for (const id of failed.ids.slice(1))
    await store.query(`select castellan_cancel_delivery($1, 'failed', 'test', null)`, [id]);
  await arrive(split.ids.slice(0, 4), 'mc');
  await arrive(split.ids.slice(4), 'mc3');
  // Ten of the first position, six of the second.
  await arrive(uneven.ids.slice(0, 16), 'mc');
  expect((await bench.preview({ serverIds: ['mc'] })).regrants).toMatchObject([
    { members: 3, pieces: 14 },
    { members: 1, pieces: 6 },
  ]);
  const here = await bench.run({ serverIds: ['mc'] });
  expect(await bench.regranted(here)).toEqual({
    [open.memberId]: 9,
    [failed.memberId]: 1,
    [split.memberId]: 4,
    [uneven.memberId]: 6,
  });
  const there = await bench.run({ serverIds: ['mc3'] });
  expect(await bench.regranted(there)).toEqual({ [split.memberId]: 6 });
  await store.query(`update game_servers set archived_at = now() where id = 'mc3'`);
});

// Guarantee: a change of what a person decided on, such as which products are restored, makes the start refused, and nothing
// happens. Orders, deliveries and points between the preview and the start do not: the season acts on what is there then.
test('between the preview and the start', async () => {
  const { store } = bench;
  const ann = await store.newMember(100);
  const product = await store.newProduct(regrant);
  const other = await store.newProduct();
  await bench.has(ann, product.id);
  const plan = { balances: { kind: 'cap', most: 10, whose: 'everyone' } } as const;
  const seen = await bench.preview(plan);
  expect(seen.products).toContainEqual({ productId: other.id, name: other.name, isRestored: false });
  const season = {
    name: 'Late',
    announcement: { en: '', 'pt-BR': '' },
    ...planOf(plan),
    digest: seen.digest,
  };
  const count = async () => (await store.query('select from seasons')).length;
  const before = await count();
  expect(await store.catalogue.changeOnWipe({ ids: [other.id], onWipe: 'regrant' }, byOwner)).toBe(null);
  expect(await bench.seasons.begin(season, byOwner)).toMatchObject({ refused: 'CONFLICT' });
  expect(await count()).toBe(before);
  const { digest, products } = await bench.preview(plan);
  expect(products).toContainEqual({ productId: other.id, name: other.name, isRestored: true });

  // A busy community: someone buys, receives and earns.
  const bob = await store.newMember(100);
  await bench.has(bob, product.id, 2);
  await store.query(
    `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
     values ('grant', 'issued', 'wallet', $1, 7, 'test')`,
    [ann],
  );
  granted(
    await store.orders.place(orderOf({ memberId: ann, lines: [{ productId: product.id }] }), null, byOwner),
  );
  const { id } = granted(await bench.seasons.begin({ ...season, digest }, byOwner));
  await bench.seasons.idle();
  expect(await bench.regranted(id)).toMatchObject({ [ann]: 1, [bob]: 2 });
  const wallets = await store.query<{ balance: string }>(
    'select balance from wallets where member_id = any($1)',
    [[ann, bob]],
  );
  expect(wallets.map(({ balance }) => Number(balance))).toEqual([10, 10]);
});

// Guarantee: what is open at a wipe stays and is not given twice; orders and points that come while the season runs are kept.
test('orders while a season is carried out', async () => {
  const { store } = bench;
  const ann = await store.newMember(1000);
  const { id: productId } = await store.newProduct(regrant);
  await bench.has(ann, productId);
  const place = async () =>
    granted(await store.orders.place(orderOf({ memberId: ann, lines: [{ productId }] }), null, byOwner)).id;
  const open = await place();
  const { open: shown } = await bench.preview();
  expect(shown.deliveries).toBeGreaterThan(0);
  const id = await bench.begin({ balances: { kind: 'cap', most: 0, whose: 'everyone' } });
  const [during] = await Promise.all([
    place().catch(() => null),
    store.query(
      `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
       values ('grant', 'issued', 'wallet', $1, 7, 'test')`,
      [ann],
    ),
  ]);
  await bench.seasons.idle();
  expect(await bench.regranted(id)).toMatchObject({ [ann]: 1 });
  expect(await openOf(ann)).toBe(during === null ? 2 : 3);
  const [row] = await store.query<{ state: string }>('select state from deliveries where order_id = $1', [
    open,
  ]);
  expect(row?.state).toBe('pending');
  // Spent or not, no more is taken than was planned, and no wallet drops below zero.
  expect(await store.balance(ann)).toBeGreaterThanOrEqual(0);
  expect(await ledgerSum(store.database.db)).toBe(0);
});

// Guarantee: retried and skipped steps are distinguished and counted in full, however many are listed.
test('steps that could not be done', async () => {
  const { store } = bench;
  const { id: productId } = await store.newProduct(regrant);
  await bench.has(await store.newMember(100), productId);
  const id = await bench.run();
  expect(granted(await bench.seasons.read(id)).hinderedSteps).toEqual({ waiting: 0, skipped: 0 });
  const step = `insert into season_steps (season_id, kind, member_id, product_id, quantity, state, detail)`;
  const member = await store.newMember(0);
  await store.query(`${step} values ($1, 'regrant', $2, $3, 1, 'waiting', 'not yet')`, [
    id,
    member,
    productId,
  ]);
  await store.query(
    `with made as (insert into members select from generate_series(1, 120) returning id)
     ${step} select $1, 'regrant', id, $2, 1, 'skipped', 'never' from made`,
    [id, productId],
  );
  const { hindered, hinderedSteps } = granted(await bench.seasons.read(id));
  expect(hinderedSteps).toEqual({ waiting: 1, skipped: 120 });
  expect(hindered.filter(({ state }) => state === 'skipped')).toHaveLength(100);
  expect(hindered.filter(({ state }) => state === 'waiting')).toMatchObject([{ memberId: member }]);
});

// Guarantee: a product that cannot be given is shown with its reason, and gives nothing.
test('a product that cannot be given again', async () => {
  const { store } = bench;
  const ann = await store.newMember(100);
  const product = await store.newProduct({ ...regrant, name: 'Gone' });
  await bench.has(ann, product.id);
  const rank = await store.newProduct({ ...regrant, name: 'Rank' });
  await bench.has(ann, rank.id);
  const { version, lines } = rank;
  const lasting = { kind: 'command' as const, command: 'rank {player}', counterCommand: 'unrank {player}' };
  granted(
    await store.catalogue.change(
      rank.id,
      {
        ...draftOf({
          ...regrant,
          name: 'Rank',
          lines: [...lines, { ...lasting, lasts: { key: 'rank:test', seconds: 86_400 } }],
        }),
        version,
      },
      byOwner,
    ),
  );
  granted(await store.catalogue.archive(product.id, { version: 1, archived: true }, byOwner));
  const shown = await bench.preview();
  expect(shown.regrants.find(({ productId }) => productId === product.id)).toMatchObject({
    pieces: 1,
    reason: { code: 'archived' },
  });
  expect(shown.regrants.find(({ productId }) => productId === rank.id)).toMatchObject({
    reason: { code: 'lasting-not-again' },
  });
  const id = await bench.run();
  expect(Object.keys(await bench.regranted(id))).not.toContain(ann);
  expect((await stepsOf(id)).every(({ state }) => state === 'done')).toBe(true);
});

// Guarantee: a wipe in the past gives nothing again that arrived after it, and one in the future is refused.
test('when the worlds were wiped', async () => {
  const { store } = bench;
  const ann = await store.newMember(100);
  const { id: productId } = await store.newProduct(regrant);
  const wipedAt = new Date().toISOString();
  await bench.has(ann, productId);
  expect((await bench.preview({ wipedAt })).regrants.map((one) => one.productId)).not.toContain(productId);
  expect((await bench.preview()).regrants.map((one) => one.productId)).toContain(productId);
  const first = '0000-01-01T00:00:00Z';
  expect((await bench.preview({ wipedAt: first })).regrants.map((one) => one.productId)).not.toContain(
    productId,
  );
  const later = planOf({ wipedAt: new Date(Date.now() + 3_600_000).toISOString() });
  expect(await bench.seasons.preview(later)).toMatchObject({ refused: 'INVALID_REQUEST' });
});
