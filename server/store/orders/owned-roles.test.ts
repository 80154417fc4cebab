import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { byOwner, granted, orderOf, type StoreOfATest, storeOfATest } from './testing/store-of-a-test.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

const roleProduct = async (name: string, ...roleIds: string[]) =>
  (
    await store.newProduct({
      name,
      lines: roleIds.map((roleId) => ({ kind: 'role', roleId, roleName: name })),
    })
  ).id;

const outcomesOf = (answers: readonly Awaited<ReturnType<StoreOfATest['orders']['place']>>[]) =>
  answers.map((answer) => (isRefusal(answer) ? answer.refused : 'placed')).toSorted();

// Guarantee: a permanent role is paid for once, however many orders come at the same time and whichever product gives it.
test('a role bought by many orders at once', async () => {
  const roleId = '100000000000000001';
  const products = [await roleProduct('Patron', roleId), await roleProduct('Patron of old', roleId)];
  const member = await store.newMember(100);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      store.orders.place(
        orderOf({ memberId: member, lines: [{ productId: products[index % 2] ?? '' }] }),
        null,
        byOwner,
      ),
    ),
  );
  expect(outcomesOf(answers)).toEqual([...Array.from({ length: 5 }, () => 'LIMIT_REACHED'), 'placed']);
  expect(await store.balance(member)).toBe(90);
});

// Guarantee: one order pays for a role once, and still for a product that gives another one as well.
test('a role in two lines of an order', async () => {
  const [gold, silver] = ['100000000000000002', '100000000000000003'];
  const [alone, again, both] = [
    await roleProduct('Gold', gold),
    await roleProduct('Gold again', gold),
    await roleProduct('Gold and silver', gold, silver),
  ];
  const member = await store.newMember(100);
  const place = (...ids: string[]) =>
    store.orders.place(
      orderOf({ memberId: member, lines: ids.map((productId) => ({ productId })) }),
      null,
      byOwner,
    );
  expect(await place(alone, again)).toMatchObject({ refused: 'LIMIT_REACHED' });
  expect(await store.balance(member)).toBe(100);
  granted(await place(alone, both));
  expect(await store.balance(member)).toBe(80);
});
