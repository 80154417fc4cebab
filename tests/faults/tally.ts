import type { DeliveryState } from '#contracts/deliveries.ts';
import type { GameId } from '#contracts/games.ts';
import type { AcceptedOrder } from './customers.ts';
import type { FaultGame, Gift } from './fault-game.ts';
import type { FaultStack } from './fault-stack.ts';

/** The result of a run, with the names from its last line. */
export interface FaultOutcome {
  readonly deliveries: number;
  readonly kills: number;
  /** Carried out more than once, or carried out and refunded. */
  readonly doubled: number;
  /** Marked proven or settled, but never carried out. */
  readonly false_delivered: number;
  /** Paid for, but in the end neither delivered, nor refunded, nor waiting for a person. */
  readonly vanished: number;
  readonly unknown: number;
  readonly unknown_minecraft: number;
  readonly rolled_back: number;
  readonly unconfirmed: number;
  /** The differences between wallets, ledger and sales; see `readLedgerSum`. */
  readonly ledger_sum: number;
  readonly seed: number;
}

interface DeliveryFacts {
  readonly game: GameId;
  readonly order_id: string;
  readonly item: string;
  readonly quantity: number;
  readonly state: DeliveryState;
  readonly certainty: string | null;
  readonly is_rolled_back: boolean;
  readonly is_refunded: boolean;
}

const readDeliveries = `
  select game, order_id, line ->> 'item' as item, (line ->> 'quantity')::int as quantity, state, certainty,
         rolled_back_at is not null as is_rolled_back, refunded_at is not null as is_refunded
  from deliveries`;

const keyOf = (game: GameId, { player, item, quantity }: Gift): string =>
  JSON.stringify([game, player, item, quantity]);

const countGifts = (games: readonly FaultGame[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { game, gifts } of games)
    for (const gift of gifts()) {
      const key = keyOf(game, gift);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return counts;
};

/**
 * Compares what the games did with what the database says.
 * @param isForgotten orders that the database cannot know, since it was restored to a time before them
 */
export const tally = async (
  stack: Pick<FaultStack, 'query'>,
  games: readonly FaultGame[],
  orders: readonly AcceptedOrder[],
  isForgotten: (order: AcceptedOrder) => boolean,
): Promise<Omit<FaultOutcome, 'kills' | 'seed'>> => {
  const rows = await stack.query<DeliveryFacts>(readDeliveries);
  const given = countGifts(games);
  const byOrder = new Map(orders.map((order) => [order.orderId, order]));
  const facts = rows.map((row) => {
    const player = byOrder.get(row.order_id)?.purchases[0]?.player ?? '';
    const { item, quantity } = row;
    return { ...row, arrived: given.get(keyOf(row.game, { player, item, quantity })) ?? 0 };
  });
  const count = (is: (fact: (typeof facts)[number]) => boolean) => facts.filter(is).length;
  const known = Map.groupBy(rows, ({ order_id }) => order_id);
  const missing = orders
    .filter((order) => !isForgotten(order))
    .map(({ orderId, purchases }) => purchases.length - (known.get(orderId)?.length ?? 0));
  const isUnknown = ({ state }: DeliveryFacts) => state === 'unknown';
  const isOver = ({ state }: DeliveryFacts) => state === 'delivered' || state === 'unknown';
  return {
    deliveries: rows.length,
    doubled: count(({ arrived, is_refunded }) => arrived > 1 || (arrived === 1 && is_refunded)),
    false_delivered: count(
      ({ state, certainty, arrived }) =>
        state === 'delivered' && certainty !== 'unconfirmed' && arrived === 0,
    ),
    vanished:
      missing.reduce((sum, lost) => sum + Math.abs(lost), 0) +
      count((fact) => !isOver(fact) && !fact.is_refunded),
    unknown: count(isUnknown),
    unknown_minecraft: count((fact) => isUnknown(fact) && fact.game === 'minecraft'),
    rolled_back: count(({ is_rolled_back }) => is_rolled_back),
    unconfirmed: count(({ certainty }) => certainty === 'unconfirmed'),
    ledger_sum: await readLedgerSum(stack),
  };
};

/**
 * The sum of the store's accounts and all wallets, which should be 0, plus the difference of each wallet from its entries, and of
 * the store's sales from what was paid and not refunded. All are absolute values, so that no two faults cancel out.
 */
const readLedgerSum = async ({ query }: Pick<FaultStack, 'query'>): Promise<number> => {
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
