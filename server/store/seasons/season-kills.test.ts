import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { byOwner, granted } from '../orders/testing/store-of-a-test.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { type SeasonsOfATest, seasonsOfATest } from './testing/seasons-of-a-test.ts';

let bench: SeasonsOfATest;
beforeAll(async () => {
  bench = await seasonsOfATest();
});
afterAll(() => bench[Symbol.asyncDispose]());

const count = 60;
const plan = {
  game: 'minecraft',
  clusterIds: [],
  serverIds: [],
  wipedAt: null,
  limitProductIds: [],
  balances: { kind: 'cap', most: 0, whose: 'everyone' },
} as const;

/** Members with 100 points and one piece each, and a season for them that no instance carries out yet. */
const begunSeason = async () => {
  const { store } = bench;
  await store.query(`update products set on_wipe = 'nothing'`);
  const { id: productId } = await store.newProduct({ onWipe: 'regrant' });
  const memberIds = await Promise.all(Array.from({ length: count }, () => store.newMember(110)));
  for (const memberId of memberIds) await bench.has(memberId, productId);
  const waiting = bench.another({ licenseHolds: () => false });
  const request = { ...plan, clusterIds: [], serverIds: [], limitProductIds: [] };
  const { digest } = granted(await waiting.preview(request));
  const announcement = { en: '', 'pt-BR': '' };
  const { id } = granted(await waiting.begin({ ...request, name: 'Killed', announcement, digest }, byOwner));
  await waiting[Symbol.asyncDispose]();
  return { id, memberIds, productId };
};

const expectOnce = async ({ id, memberIds, productId }: Awaited<ReturnType<typeof begunSeason>>) => {
  const { store } = bench;
  const orders = await store.query<{ receiver_id: string; count: string }>(
    `select orders.receiver_id, count(*) from order_lines join orders on orders.id = order_id
     where product_id = $1 and source = 'season' group by 1`,
    [productId],
  );
  expect(orders).toHaveLength(count);
  expect(new Set(orders.map((row) => row.count))).toEqual(new Set(['1']));
  const taken = await store.query<{ count: string; points: string }>(
    `select count(*), sum(amount) as points from ledger where kind = 'season' and from_member = any ($1)`,
    [memberIds],
  );
  expect(taken).toEqual([{ count: String(count), points: String(100 * count) }]);
  expect(granted(await bench.seasons.read(id))).toMatchObject({ state: 'done', pieces: count });
  expect(await ledgerSum(store.database.db)).toBe(0);
};

/** An instance that does no more work, as if dead, after placing or refunding this many times. */
const dyingAfter = (acts: number) => {
  let left = acts;
  const dead = Promise.withResolvers<void>();
  const never = new Promise<never>(() => undefined);
  const mayAct = () => {
    left -= 1;
    if (left < 0) dead.resolve();
    return left >= 0;
  };
  const instance = bench.another({
    orders: {
      place: (...asked) => (mayAct() ? bench.store.orders.place(...asked) : never),
      refund: (...asked) => (mayAct() ? bench.store.orders.refund(...asked) : never),
    },
  });
  return { instance, dead: dead.promise };
};

// Guarantee: an instance that dies halfway through a season leaves it to the next one, and each member gets and loses
// everything exactly once.
test('an instance dies between its steps', async () => {
  const begun = await begunSeason();
  const dying = dyingAfter(30);
  dying.instance.prepare();
  await dying.dead;
  const half = granted(await bench.seasons.read(begun.id));
  expect(half.state).toBe('running');
  expect(half.progress.waiting).toBeGreaterThanOrEqual(count - 30);
  bench.seasons.prepare();
  await bench.seasons.idle();
  await expectOnce(begun);

  const dyingAgain = dyingAfter(30);
  granted(await dyingAgain.instance.undo(begun.id, byOwner));
  await dyingAgain.dead;
  bench.seasons.prepare();
  await bench.seasons.idle();
  expect(granted(await bench.seasons.read(begun.id))).toMatchObject({
    state: 'undone',
    progress: { done: 0, undone: 2 * count },
  });
  for (const memberId of begun.memberIds) expect(await bench.store.balance(memberId)).toBe(100);
});

// Guarantee: an idle instance finds the season that another one left, without a restart or a person.
test('a season that is left while another instance is idle', async () => {
  const idle = bench.another({ lookMs: 25 });
  idle.prepare();
  await idle.idle();
  const begun = await begunSeason();
  await eventually(async () => {
    if (granted(await bench.seasons.read(begun.id)).state !== 'done') throw new Error('it is still at work');
  });
  await expectOnce(begun);
  await idle[Symbol.asyncDispose]();
});

// Guarantee: a license that is rejected during a season stops it before its next orders, and the season continues once the
// license is valid again.
test('a license that is rejected', async () => {
  const begun = await begunSeason();
  let holds = true;
  let placed = 0;
  const instance = bench.another({
    licenseHolds: () => holds,
    orders: {
      ...bench.store.orders,
      place: (...asked) => {
        placed += 1;
        holds = placed < 10;
        return bench.store.orders.place(...asked);
      },
    },
  });
  instance.prepare();
  await instance.idle();
  expect(placed).toBeLessThan(20);
  expect(granted(await bench.seasons.read(begun.id)).state).toBe('running');
  await instance[Symbol.asyncDispose]();
  bench.seasons.prepare();
  await bench.seasons.idle();
  await expectOnce(begun);
});

// Guarantee: two instances that carry out the same season at the same time do each step once.
test('two instances at once', async () => {
  const begun = await begunSeason();
  const others = [bench.another(), bench.another()];
  for (const instance of others) instance.prepare();
  const isDone = async (): Promise<void> => {
    await Promise.all(others.map((instance) => instance.idle()));
    if (granted(await bench.seasons.read(begun.id)).state === 'done') return;
    for (const instance of others) instance.prepare();
    return isDone();
  };
  await isDone();
  await expectOnce(begun);
});
