import { expect, test } from 'vitest';
import { countOpenDeliveries } from '../read-deliveries.ts';
import { deliveriesOfATest } from './testing/deliveries-of-a-test.ts';
import { diamond } from './testing/store-in-play.ts';

// Guarantee: a member's open deliveries are all counted, including those of members who were merged into it; what has
// ended and what others have is left out.
test('the open deliveries of a member', async () => {
  await using store = await deliveriesOfATest();
  const { pool } = store.database;
  const [{ memberId: ann }, { memberId: twin }, { memberId: other }] = [
    await store.member('Ann', 'minecraft'),
    await store.member('Twin', 'minecraft'),
    await store.member('Other', 'minecraft'),
  ];
  const countOpen = async (memberId: string) => (await countOpenDeliveries(store.database.db, memberId)).all;
  expect(await countOpen(ann)).toBe(0);
  const many = Array.from({ length: 320 }, () => diamond());
  const ids = await store.buy(ann, 'minecraft', many, { points: 1 });
  await store.buy(twin, 'minecraft', [diamond()]);
  await store.buy(other, 'minecraft', [diamond()]);
  await pool.query(`update deliveries set state = 'cancelled', ended_at = now() where id = $1`, [ids[0]]);
  expect([await countOpen(ann), await countOpen(twin)]).toEqual([319, 1]);
  await pool.query('update members set merged_into = $1 where id = $2', [ann, twin]);
  expect([await countOpen(ann), await countOpen(other)]).toEqual([320, 1]);
});
