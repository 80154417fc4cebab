import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { migrate } from '#runtime/database/migrate.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import { migrations } from '../../kernel/database/migrations.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import {
  byOwner,
  draftOf,
  granted,
  orderOf,
  type StoreOfATest,
  storeOfATest,
} from '../orders/testing/store-of-a-test.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

const command = [{ kind: 'command' as const, command: 'say {player}', needsPlayer: false }];
/** As the previous release writes it. */
const versionSql = `
  insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
  values ($1, $2, 'Rank', 'rank', '', '', 0, 'minecraft', $3)`;
const place = async (id: string, more: { readonly isTest?: boolean } = {}, outside = false) =>
  store.orders.place(
    orderOf({ memberId: await store.newMember(50), lines: [{ productId: id }], ...more }),
    null,
    byOwner,
    outside ? { isPaidOutside: true, ignoresLimits: true } : {},
  );

// Guarantee: what the previous release writes is approved only where it runs what was approved before; anything else is not sold.
test('products of the previous release', async () => {
  const { id } = await store.newProduct({ lines: command });
  await store.query(
    `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
     select product_id, 2, 'Renamed', 'renamed', description, category, 0, game, lines
       from product_versions where product_id = $1`,
    [id],
  );
  await store.query('update products set version = 2 where id = $1', [id]);
  expect(granted(await store.catalogue.read(id))).toMatchObject({
    approval: { state: 'approved', by: 'Owner' },
    notForSale: null,
  });

  await store.query(versionSql, [id, 3, JSON.stringify([{ ...command[0], command: 'op Mallory' }])]);
  await store.query('update products set version = 3 where id = $1', [id]);
  expect(granted(await store.catalogue.read(id))).toMatchObject({
    approval: { state: 'missing' },
    notForSaleWhy: { code: 'line-invalid' },
  });
  for (const refused of [await place(id), await place(id, { isTest: true }), await place(id, {}, true)])
    expect(refused).toMatchObject({ refused: 'PRODUCT_NOT_FOR_SALE' });
  granted(await store.catalogue.approve(id, 3, byOwner));
  granted(await place(id));
});

// Guarantee: what exists at the update counts as approved.
test('products that exist at the update', async () => {
  await using database = await testDatabase();
  await using opened = openDatabase<Tables>({ url: database.url, applicationName: 'test', log: silentLog });
  const { db, pool } = opened;
  const earlier = Object.entries(migrations).filter(([name]) => name < '0050');
  await migrate({ db, migrations: Object.fromEntries(earlier), log: silentLog });
  await pool.query(`insert into products (id) values ('p')`);
  await pool.query(versionSql, ['p', 1, JSON.stringify(command)]);
  await migrate({ db, migrations, log: silentLog });
  const { rows } = await pool.query('select approved_by, approved_at from product_versions');
  expect(rows).toEqual([{ approved_by: 'update', approved_at: expect.any(Date) }]);
});

// Guarantee: when the approver has lost the right, nothing new is sold and no test order runs; what was paid, here or outside, is
// still delivered.
test('paid orders of a product whose approver has lost the right', async () => {
  const { id } = await store.newProduct({ lines: command });
  const { deliveries } = granted(await place(id));
  try {
    await store.query(`update admins set role = null where id = $1`, [byOwner.actor.id]);
    const gone = granted(await store.catalogue.read(id));
    expect(gone).toMatchObject({ approval: { state: 'ended' }, notForSaleWhy: { code: 'line-fault' } });
    for (const refused of [await place(id), await place(id, { isTest: true })])
      expect(refused).toMatchObject({ refused: 'PRODUCT_NOT_FOR_SALE' });
    granted(await place(id, {}, true));
    expect(
      await store.query('select state, approved_name from deliveries where id = $1', [deliveries[0]?.id]),
    ).toEqual([{ state: 'pending', approved_name: 'Owner' }]);
  } finally {
    await store.query(`update admins set role = 'owner' where id = $1`, [byOwner.actor.id]);
  }
});

// Guarantee: a bundle cannot hide a command: neither one that no one approved, nor by another bundle.
test('a bundle with a command', async () => {
  const part = await store.newProduct({ lines: command });
  const bundle = await store.newProduct({ lines: [{ kind: 'product', productId: part.id, quantity: 1 }] });
  expect(bundle).toMatchObject({ approval: null, notForSale: null });
  await store.query(versionSql, [part.id, 2, JSON.stringify([{ ...command[0], command: 'op Mallory' }])]);
  await store.query('update products set version = 2 where id = $1', [part.id]);
  expect(await place(bundle.id)).toMatchObject({ refused: 'PRODUCT_NOT_FOR_SALE' });
  const nested = draftOf({ lines: [{ kind: 'product', productId: bundle.id, quantity: 1 }] });
  expect(await store.catalogue.create(nested, byOwner)).toMatchObject({ refused: 'PRODUCT_INVALID' });
});
