import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/** Balances of the store's accounts. Points in wallets equal points issued minus points sold. */
interface StoreAccounts {
  /** Points granted, minus those removed. */
  readonly issued: number;
  /** Points paid for orders, minus refunds. */
  readonly sales: number;
}

export const readStoreAccounts = async (db: Kysely<Tables>): Promise<StoreAccounts> => {
  const { rows } = await sql<{ issued: string; sales: string }>`
    select coalesce(sum(amount) filter (where from_account = 'issued'), 0)
         - coalesce(sum(amount) filter (where to_account = 'issued'), 0) as issued,
           coalesce(sum(amount) filter (where to_account = 'sales'), 0)
         - coalesce(sum(amount) filter (where from_account = 'sales'), 0) as sales
    from ledger`.execute(db);
  return { issued: Number(rows[0]?.issued ?? 0), sales: Number(rows[0]?.sales ?? 0) };
};

/** The sum of absolute differences between wallets and the ledger; must be 0. */
export const ledgerSum = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(abs(wallet.balance - coalesce(said.balance, 0))), 0) as sum
    from wallets as wallet left join (
      select member_id, sum(change) as balance from (
        select to_member as member_id, amount as change from ledger where to_member is not null
        union all select from_member, -amount from ledger where from_member is not null
      ) as each_side group by member_id
    ) as said using (member_id)`.execute(db);
  return Number(rows[0]?.sum ?? 0);
};
