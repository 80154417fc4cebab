import type { FaultStack } from './fault-stack.ts';

/**
 * The sum of the store's accounts and all wallets, which should be 0, plus the difference of each wallet from its entries, and of
 * the store's sales from what was paid and not refunded. All are absolute values, so that no two faults cancel out.
 */
export const readLedgerSum = async ({ query }: Pick<FaultStack, 'query'>): Promise<number> => {
  const [row] = await query<{ sum: number }>(`
    with changes as (
      select to_account as account, to_member as member_id, amount from ledger
      union all select from_account, from_member, -amount from ledger
    ), sums as (
      select account, member_id, sum(amount) as sum from changes group by account, member_id
    )
    select (
      abs(coalesce((select sum(balance) from wallets), 0)
          + coalesce((select sum(sum) from sums where account <> 'wallet'), 0))
      + coalesce((select sum(abs(balance - coalesce(sum, 0))) from wallets
                  left join sums on sums.account = 'wallet' and sums.member_id = wallets.member_id), 0)
      + abs(coalesce((select sum(sum) from sums where account = 'sales'), 0)
            - coalesce((select sum(points) from deliveries where refunded_at is null), 0))
    )::float8 as sum`);
  return row?.sum ?? Number.NaN;
};
