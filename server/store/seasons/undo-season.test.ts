import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { createMembers } from '../../people/members/members.ts';
import { byOwner, granted, orderOf } from '../orders/testing/store-of-a-test.ts';
import { createPoints } from '../points/points.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { type SeasonsOfATest, seasonsOfATest } from './testing/seasons-of-a-test.ts';

let bench: SeasonsOfATest;
beforeAll(async () => {
  bench = await seasonsOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const half = { balances: { kind: 'keep', percent: 50, whose: 'everyone' } } as const;
const undo = async (id: string) => {
  const outcome = await bench.seasons.undo(id, byOwner);
  await bench.seasons.idle();
  return outcome;
};
/** A member with points, and one piece of a product that is given again. */
const memberWith = async (points: number) => {
  const memberId = await bench.store.newMember(points + 10);
  const { id: productId } = await bench.store.newProduct({ onWipe: 'regrant', limits: { perMember: 1 } });
  await bench.has(memberId, productId);
  return { memberId, productId };
};
const ordersOf = (seasonId: string) =>
  bench.store.query<{ order_id: string; states: string[] }>(
    `select order_id, array_agg(distinct deliveries.state) as states from season_steps join deliveries using (order_id)
     where season_id = $1 group by 1`,
    [seasonId],
  );
const sinceOf = async (productId: string) =>
  (
    await bench.store.query<{ limits_since: Date | null }>(
      'select limits_since from products where id = $1',
      [productId],
    )
  )[0]?.limits_since;

// Guarantee: undoing a season restores balances, limits and deliveries, by ledger entries; requested twice, it is undone once.
test('a season is undone', async () => {
  const { store } = bench;
  const { memberId, productId } = await memberWith(101);
  const id = await bench.run({ ...half, limitProductIds: [productId] });
  expect(await store.balance(memberId)).toBe(50);
  expect(await sinceOf(productId)).not.toBeNull();
  expect(granted(await bench.seasons.previewUndo(id))).toMatchObject({
    isPossible: true,
    obstacle: null,
    hindered: 0,
    members: 1,
    points: 51,
    pieces: 1,
  });
  const [one, other] = await Promise.all([bench.seasons.undo(id, byOwner), bench.seasons.undo(id, byOwner)]);
  expect([one, other].filter((outcome) => 'refused' in outcome)).toMatchObject([{ refused: 'CONFLICT' }]);
  await bench.seasons.idle();
  expect(granted(await bench.seasons.read(id))).toMatchObject({
    state: 'undone',
    undoneBy: 'Owner',
    progress: { done: 0, undone: 3, waiting: 0 },
    pieces: 0,
  });
  expect(await store.balance(memberId)).toBe(101);
  expect(await sinceOf(productId)).toBeNull();
  expect((await ordersOf(id)).map(({ states }) => states)).toEqual([['cancelled']]);
  expect(await ledgerSum(store.database.db)).toBe(0);
  expect(await undo(id)).toMatchObject({ refused: 'CONFLICT' });
  // What was received counts again for the next wipe.
  const next = await bench.run();
  expect(await bench.regranted(next)).toEqual({ [memberId]: 1 });
  expect(await undo(next)).toMatchObject({ state: expect.any(String) });
});

// Guarantee: once a member has spent points or received something, nothing of the season is undone, and the preview names them.
test('a season whose members have spent or received', async () => {
  const { store } = bench;
  const [spender, receiver] = [await memberWith(100), await memberWith(100)];
  const id = await bench.run(half);
  const balances = async () => [
    await store.balance(spender.memberId),
    await store.balance(receiver.memberId),
  ];
  expect(await balances()).toEqual([50, 50]);
  const { id: plain } = await store.newProduct();
  granted(
    await store.orders.place(
      orderOf({ memberId: spender.memberId, lines: [{ productId: plain }] }),
      null,
      byOwner,
    ),
  );
  const [first] = await store.query<{ order_id: string }>(
    'select order_id from season_steps where season_id = $1 and member_id = $2 and order_id is not null',
    [id, receiver.memberId],
  );
  await bench.deliver(first?.order_id ?? '');
  const shown = granted(await bench.seasons.previewUndo(id));
  expect(shown).toMatchObject({ isPossible: false, hindered: 2 });
  expect(shown.hindrances).toEqual([
    { memberId: spender.memberId, memberName: `member ${spender.memberId}`, why: 'spent' },
    { memberId: receiver.memberId, memberName: `member ${receiver.memberId}`, why: 'received' },
  ]);
  expect(await undo(id)).toMatchObject({ refused: 'CONFLICT' });
  expect(await balances()).toEqual([40, 50]);
  expect(granted(await bench.seasons.read(id)).state).toBe('done');
});

// Guarantee: a lane that planned a delivery before the undo, and claims it at the same moment, either sends it and the undo
// is refused, or finds it cancelled once the undo has committed.
test('a delivery that is claimed while its season is undone', async () => {
  const { store } = bench;
  const [{ memberId }, failing] = [await memberWith(100), await memberWith(100)];
  const id = await bench.run();
  await store.query(
    `update deliveries set state = 'failed' from season_steps as step
     where step.order_id = deliveries.order_id and step.season_id = $1 and step.member_id = $2`,
    [id, failing.memberId],
  );
  const [step] = await store.query<{ order_id: string }>(
    'select order_id from season_steps where season_id = $1 and member_id = $2 and order_id is not null',
    [id, memberId],
  );
  const claim = `update deliveries set state = 'sending', waits_for = null
    where order_id = $1 and state in ('pending', 'waiting') returning id`;
  const { pool } = store.database;
  const lane = await pool.connect();
  await lane.query('begin');
  expect((await lane.query(claim, [step?.order_id])).rowCount).toBe(1);
  const undoing = bench.seasons.undo(id, byOwner);
  await eventually(async () => {
    const waiting = await store.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (waiting.length === 0) throw new Error('the undo does not wait for the lane yet');
  });
  await lane.query('commit');
  lane.release();
  expect(await undoing).toMatchObject({ refused: 'CONFLICT' });

  await store.query(
    `update deliveries set state = 'waiting', waits_for = 'retry' where order_id = $1 and state = 'sending'`,
    [step?.order_id],
  );
  // Its steps are not carried out: what the undo itself commits is enough.
  const stopped = bench.another({ licenseHolds: () => false });
  expect(await stopped.undo(id, byOwner)).toMatchObject({ state: 'undoing' });
  expect(await store.query(claim, [step?.order_id])).toEqual([]);
  // Failed ones are not sent again either.
  for (const { states } of await ordersOf(id)) expect(states).toEqual(['cancelled']);
  await stopped[Symbol.asyncDispose]();
  bench.seasons.prepare();
  await bench.seasons.idle();
  expect(granted(await bench.seasons.read(id))).toMatchObject({ state: 'undone', progress: { done: 0 } });
});

// Guarantee: what may have been sent before the database was restored counts as received until its game was asked.
test('a season of a database that was restored', async () => {
  const { store } = bench;
  const { memberId } = await memberWith(100);
  const id = await bench.run();
  await store.query('update store_state set epoch = epoch + 1');
  expect(granted(await bench.seasons.previewUndo(id)).hindrances).toContainEqual(
    expect.objectContaining({ memberId, why: 'received' }),
  );
  expect(await undo(id)).toMatchObject({ refused: 'CONFLICT' });
  await store.query('update deliveries set epoch = (select epoch from store_state)');
  expect(await undo(id)).toMatchObject({ id });
});

// Guarantee: limits never start counting from an earlier time than before, and undoing an earlier wipe leaves them alone.
test('limits that were reset since', async () => {
  const { productId } = await memberWith(100);
  await bench.run({ limitProductIds: [productId] });
  const since = await sinceOf(productId);
  const wipedAt = new Date(Date.now() - 3_600_000).toISOString();
  const earlier = await bench.run({ wipedAt, limitProductIds: [productId] });
  expect(await sinceOf(productId)).toEqual(since);
  await undo(earlier);
  expect(granted(await bench.seasons.read(earlier)).state).toBe('undone');
  expect(await sinceOf(productId)).toEqual(since);
});

// Guarantee: an undo concurrent with orders of the product whose limits it restores, and of the same wallet, completes, and
// so do the orders.
test('an undo among orders', async () => {
  const { store } = bench;
  const { memberId, productId } = await memberWith(1000);
  const id = await bench.run({ ...half, limitProductIds: [productId] });
  const { pool } = store.database;
  const buyer = await pool.connect();
  await buyer.query('begin');
  await buyer.query('select from products where id = $1 for update', [productId]);
  const undoing = bench.seasons.undo(id, byOwner);
  await eventually(async () => {
    const waiting = await store.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (waiting.length === 0) throw new Error('the undo does not wait for the product yet');
  });
  // If the undo held the wallet, this would wait until the deadlock is broken.
  await buyer.query(`set local lock_timeout = '500ms'`);
  await buyer.query('select from wallets where member_id = $1 for update', [memberId]);
  await buyer.query('commit');
  buyer.release();
  expect(await undoing).toMatchObject({ id });
  await bench.seasons.idle();
});

// Guarantee: a season is undone only while none has begun after it on its servers.
test('an earlier season', async () => {
  const first = await bench.run();
  const second = await bench.run();
  expect(granted(await bench.seasons.previewUndo(first)).obstacle).toBe('later-season');
  expect(await undo(first)).toMatchObject({ refused: 'CONFLICT' });
  await undo(second);
  await undo(first);
  expect(granted(await bench.seasons.read(first)).state).toBe('undone');
  expect(await bench.seasons.previewUndo('none')).toEqual({ refused: 'NOT_FOUND' });
});

// Guarantee: members merged while a season runs, or between it and its undo, lose and get back what both had, once; an
// erased one is left out.
test('members that are merged or erased in between', async () => {
  const { store } = bench;
  const { db } = store.database;
  const members = createMembers({ db, forgetPlayers: () => undefined });
  const points = createPoints({ db, members });
  const [kept, merged, later, erased] = [
    await memberWith(100),
    await memberWith(60),
    await memberWith(40),
    await memberWith(20),
  ];
  // The first instance stops before its first step.
  const stopped = bench.another({ licenseHolds: () => false });
  const { digest } = granted(
    await stopped.preview({
      game: 'minecraft',
      clusterIds: [],
      serverIds: [],
      wipedAt: null,
      limitProductIds: [],
      balances: half.balances,
    }),
  );
  const { id } = granted(
    await stopped.begin(
      {
        name: 'Merged',
        announcement: { en: '', 'pt-BR': '' },
        game: 'minecraft',
        clusterIds: [],
        serverIds: [],
        wipedAt: null,
        limitProductIds: [],
        balances: half.balances,
        digest,
      },
      byOwner,
    ),
  );
  granted(await members.merge(kept.memberId, merged.memberId, byOwner));
  expect(await members.erase(erased.memberId, 1, byOwner)).toBeNull();
  bench.seasons.prepare();
  await bench.seasons.idle();
  expect(await store.balance(kept.memberId)).toBe(80);
  expect(await bench.regranted(id)).toMatchObject({ [kept.memberId]: 2, [later.memberId]: 1 });
  expect(granted(await bench.seasons.read(id))).toMatchObject({
    state: 'done',
    hindered: [
      { kind: 'balance', state: 'skipped', reason: { code: 'member-erased' } },
      { kind: 'regrant', state: 'skipped', reason: { code: 'member-erased' } },
    ],
  });
  granted(await members.merge(kept.memberId, later.memberId, byOwner));
  expect(await store.balance(kept.memberId)).toBe(100);
  granted(await points.grant(kept.memberId, { kind: 'grant', points: 5, note: '' }, byOwner));
  granted(await undo(id));
  expect(await store.balance(kept.memberId)).toBe(205);
  expect(await ledgerSum(db)).toBe(0);
});
