import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MigratedDatabase, migratedDatabase } from '../testing/feature-api.ts';
import { balanceOf, grantPoints, insertMember, insertOrder } from '../testing/store-rows.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await database.pool.query(text, [...values])).rows as Row[];

const cancel = (id: string) => query(`select castellan_cancel_delivery($1, 'by a test', 'test', null)`, [id]);

// Guarantee: every player has a member with a wallet, and a player who is seen again creates no second one.
test('a player brings a member', async () => {
  const see = () =>
    query<{ id: string }>(
      `insert into players (identity, game, name, name_key) values ('name:minecraft:zed', 'minecraft', 'Zed', 'zed')
       on conflict (identity) do update set name = excluded.name returning id`,
    );
  const before = await query('select id from members');
  await see();
  const [player] = await see();
  const [seen] = await query<{ member_id: string }>('select member_id from players where id = $1', [
    player?.id,
  ]);
  expect(await query('select id from members')).toHaveLength(before.length + 1);
  expect(await balanceOf(database.pool, seen?.member_id ?? '')).toBe(0);
});

// Guarantee: a wallet is the sum of its entries and never below zero; an entry that would make it negative leaves nothing.
test('the ledger moves points and refuses what is not there', async () => {
  const member = await insertMember(database.pool);
  await grantPoints(database.pool, member, 100);
  const spend = (amount: number) =>
    query(
      `insert into ledger (kind, from_account, from_member, to_account, amount, actor)
       values ('purchase', 'wallet', $1, 'sales', $2, 'test')`,
      [member, amount],
    );
  await spend(60);
  await expect(spend(41)).rejects.toThrow(/wallets_balance/);
  expect(await balanceOf(database.pool, member)).toBe(40);
  await expect(query('update ledger set amount = 1')).rejects.toThrow(/only ever added to/);
  await expect(query('delete from ledger')).rejects.toThrow(/only ever added to/);
  await expect(query('truncate ledger cascade')).rejects.toThrow(/only ever added to/);
});

// Guarantee: many concurrent purchases never spend more than there is, and both sides of the ledger agree.
test('a hundred purchases at once', async () => {
  const member = await insertMember(database.pool);
  await grantPoints(database.pool, member, 10);
  const tries = await Promise.allSettled(
    Array.from({ length: 100 }, () =>
      query(
        `insert into ledger (kind, from_account, from_member, to_account, amount, actor)
         values ('purchase', 'wallet', $1, 'sales', 1, 'test')`,
        [member],
      ),
    ),
  );
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(await balanceOf(database.pool, member)).toBe(0);
});

// Guarantee: cancelling gives back what this delivery was paid with, once, and the stock when nothing of the line arrived.
test('a delivery that is cancelled is refunded once', async () => {
  const member = await insertMember(database.pool);
  await grantPoints(database.pool, member, 100);
  const { deliveryIds: ids, lineId } = await insertOrder(database.pool, member, ['pending', 'waiting'], 30);
  expect(await balanceOf(database.pool, member)).toBe(40);
  const [first = '', second = ''] = ids;
  await cancel(first);
  expect(await balanceOf(database.pool, member)).toBe(70);
  await expect(cancel(first)).rejects.toThrow(/is cancelled: only what waits or has failed/);
  expect(await query('select castellan_refund_delivery($1, $2, null) as points', [first, 'test'])).toEqual([
    { points: '0' },
  ]);
  expect(await query('select stock from products')).toEqual([{ stock: 5 }]);
  await cancel(second);
  expect(await balanceOf(database.pool, member)).toBe(100);
  expect(await query('select stock from products')).toEqual([{ stock: 6 }]);
  expect(
    await query(
      'select undone_at is not null as undone, restocked_at is not null as restocked from order_lines where id = $1',
      [lineId],
    ),
  ).toEqual([{ undone: true, restocked: true }]);
});

// Guarantee: what may have been sent cannot be cancelled in the database, since only the game could take it back.
test.each(['sending', 'delivered', 'unknown'])('a delivery that is %s is not cancelled', async (state) => {
  const member = await insertMember(database.pool);
  await grantPoints(database.pool, member, 30);
  const { deliveryIds: ids } = await insertOrder(database.pool, member, [state], 30);
  await expect(cancel(ids[0] ?? '')).rejects.toThrow(/only what waits or has failed can be cancelled/);
  expect(await balanceOf(database.pool, member)).toBe(0);
});

// Guarantee: a refund goes to the member that holds the wallet now.
test('the refund of a merged member', async () => {
  const member = await insertMember(database.pool);
  const kept = await insertMember(database.pool);
  await grantPoints(database.pool, member, 30);
  const { deliveryIds: ids } = await insertOrder(database.pool, member, ['waiting'], 30);
  await query('update members set merged_into = $1 where id = $2', [kept, member]);
  await cancel(ids[0] ?? '');
  expect(await balanceOf(database.pool, kept)).toBe(30);
  expect(await balanceOf(database.pool, member)).toBe(0);
});

// Guarantee: the counts of the queue are those of the table after any change.
test('the counts of deliveries', async () => {
  const counted = await query(
    `select job_state, sum(count)::int as count from delivery_counts group by 1 having sum(count) <> 0 order by 1`,
  );
  expect(counted).toEqual(
    await query('select job_state, count(*)::int as count from deliveries group by 1 order by 1'),
  );
});
