import { type Kysely, sql } from 'kysely';
import type { OrderRefusalWhy } from '#contracts/store/orders.ts';
import type { ProductLimits } from '#contracts/store/store.ts';
import { aheadToleranceMs } from '#runtime/is-ahead.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { WantedLine } from './order-terms.ts';

/** What a member has bought of a product. */
export interface Holding {
  /** Pieces, minus those undone. */
  readonly ever: number;
  /** Pieces within the product's period. */
  readonly inPeriod: number;
  /** When the first piece within the period was bought. */
  readonly periodBegan: Date | null;
  readonly lastBought: Date | null;
}

const dayMs = 86_400_000;

/**
 * What this member, and members merged into it, have bought of each product since its limits were reset. What a new season
 * gave again does not count as bought.
 */
export const readHoldings = async (
  db: Kysely<Tables>,
  receiverId: string,
  lines: readonly WantedLine[],
  now: Date,
): Promise<ReadonlyMap<string, Holding>> => {
  const ids = lines.map(({ product }) => product.id);
  const since = lines.map(({ product: { limits } }) =>
    new Date(now.getTime() - (limits.perPeriod?.days ?? 0) * dayMs).toISOString(),
  );
  // What was bought while the clock was ahead counts for good, but no one waits until then.
  const hasPassed = sql`bought.created_at <= ${new Date(now.getTime() + aheadToleranceMs)}`;
  const { rows } = await sql<{
    product_id: string;
    ever: string;
    in_period: string;
    period_began: Date | null;
    last_bought: Date | null;
  }>`
    select bought.product_id, sum(bought.quantity) as ever,
           coalesce(sum(bought.quantity) filter (where bought.created_at > wanted.since and ${hasPassed}), 0) as in_period,
           min(bought.created_at) filter (where bought.created_at > wanted.since and ${hasPassed}) as period_began,
           max(bought.created_at) filter (where ${hasPassed}) as last_bought
    from unnest(${ids}::text[], ${since}::timestamptz[]) as wanted (product_id, since)
    join products on products.id = wanted.product_id
    join order_lines as bought on bought.product_id = wanted.product_id
    where bought.receiver_id in (select id from members where id = ${receiverId} or merged_into = ${receiverId})
      and bought.undone_at is null
      and (products.limits_since is null or bought.created_at >= products.limits_since)
      and not exists (select from orders where orders.id = bought.order_id and orders.source = 'season')
    group by bought.product_id`.execute(db);
  return new Map(
    rows.map((row) => [
      row.product_id,
      {
        ever: Number(row.ever),
        inPeriod: Number(row.in_period),
        periodBegan: row.period_began,
        lastBought: row.last_bought,
      },
    ]),
  );
};

/** The limit that these additional pieces would exceed; null if none. */
export const findLimit = (
  { perMember, perPeriod, cooldownSeconds }: ProductLimits,
  holding: Holding | undefined,
  quantity: number,
  now: Date,
): OrderRefusalWhy | null => {
  const { ever = 0, inPeriod = 0, periodBegan = null, lastBought = null } = holding ?? {};
  if (perMember !== undefined && ever + quantity > perMember)
    return { kind: 'per-member', most: perMember, has: ever };
  if (perPeriod && inPeriod + quantity > perPeriod.count) {
    const freed = periodBegan && new Date(periodBegan.getTime() + perPeriod.days * dayMs);
    return {
      kind: 'per-period',
      most: perPeriod.count,
      days: perPeriod.days,
      has: inPeriod,
      until: freed?.toISOString() ?? null,
    };
  }
  if (cooldownSeconds === undefined || !lastBought) return null;
  const free = new Date(lastBought.getTime() + cooldownSeconds * 1000);
  return free > now ? { kind: 'cooldown', until: free.toISOString() } : null;
};
