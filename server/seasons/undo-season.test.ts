import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMembers } from '../members/members.ts';
import { createMerging } from '../members/merging.ts';
import { byOwner, granted, orderOf } from '../orders/testing/store-of-a-test.ts';
import { moveBetweenWallets } from '../points/ledger-entries.ts';
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

// Guarantee: a season that is undone leaves balances, limits and deliveries as before, by entries of the ledger; asked twice,
// it is undone once.
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
  expect(bench.held.at(-1)).toBeNull();
  expect(await undo(id)).toMatchObject({ refused: 'CONFLICT' });
  // What was had counts again for the next wipe.
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
  expect(bench.held.at(-1)).toBeNull();
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

// Guarantee: members that are merged while a season is carried out, or between it and its undo, lose and get back what both
// had, once; an erased one is left out.
test('members that are merged or erased in between', async () => {
  const { store } = bench;
  const { db } = store.database;
  const merging = createMerging(moveBetweenWallets);
  const members = createMembers({ db, merging, forgetPlayers: () => undefined });
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
  await bench.seasons.prepare();
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
