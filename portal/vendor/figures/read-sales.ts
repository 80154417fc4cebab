import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { PortalTables } from '../../database/tables.ts';
import type { FigureSteps } from './figure-steps.ts';

/** Sales of one step, in minor units of the currency. */
interface StepSales {
  readonly paid: bigint;
  readonly returned: bigint;
  /** The number of payments above zero. */
  readonly payments: number;
}

export interface CurrencySales {
  readonly currency: string;
  /** One per step. */
  readonly steps: readonly StepSales[];
  readonly total: StepSales;
}

export interface Sales {
  /** By currency code: nothing is converted. */
  readonly currencies: readonly CurrencySales[];
  /** Payments of the range without an amount. */
  readonly unpriced: number;
}

interface SalesRow {
  step: number;
  currency: string;
  paid: string;
  returned: string;
  payments: number;
}

const nothing: StepSales = { paid: 0n, returned: 0n, payments: 0 };

/**
 * The events of orders that the vendor has set aside: orders whose purchases are all ignored, as in `foldOrder`. An
 * order is all refs that events tie together. Each step reads all events once: the index of refs becomes slower with
 * the square of the number of look-ups, and with the entries that it has not sorted in yet.
 */
const readDismissed = async (db: Kysely<PortalTables>): Promise<readonly string[]> => {
  const isOf = (refs: readonly string[]) =>
    sql<boolean>`exists (select from unnest(refs) as ref where ref = any(${refs}::text[]))`;
  const refsOf = async (condition: RawBuilder<boolean>): Promise<readonly string[]> => {
    const { rows } = await sql<{ ref: string }>`
      select distinct unnest(refs) as ref from webhook_events where ${condition}`.execute(db);
    return rows.map(({ ref }) => ref);
  };
  const tiedTo = async (refs: readonly string[]): Promise<readonly string[]> => {
    if (refs.length === 0) return refs;
    const found = await refsOf(isOf(refs));
    return found.length === refs.length ? refs : tiedTo(found);
  };

  const touched = await tiedTo(await refsOf(sql`kind = 'purchase' and outcome = 'ignored'`));
  if (touched.length === 0) return [];
  const standing = sql<boolean>`kind = 'purchase' and outcome <> 'ignored' and ${isOf(touched)}`;
  const kept = new Set(await tiedTo(await refsOf(standing)));
  const gone = touched.filter((ref) => !kept.has(ref));
  const { rows } = await sql<{ id: string }>`select id from webhook_events where ${isOf(gone)}`.execute(db);
  return rows.map(({ id }) => id);
};

/**
 * Sums what gateways reported, at the time when it happened. Money of orders that the vendor has set aside, which were
 * for another product, does not count.
 */
export const readSales = async (db: Kysely<PortalTables>, { bounds }: FigureSteps): Promise<Sales> => {
  const [first, last] = [bounds[0], bounds.at(-1)];
  const inRange = (column: string) => sql`${sql.ref(column)} >= ${first} and ${sql.ref(column)} < ${last}`;
  const dismissed = await readDismissed(db);
  const { rows } = await sql<SalesRow>`
    with moved as (
      select event_id, at, direction, currency, minor
      from payments where minor is not null and not is_total and ${inRange('at')}
      union all
      -- Each tells of all that has gone back of its source so far; only what is new in it went back then.
      select event_id, at, direction, currency, minor - before
      from (
        select *, coalesce(lag(minor) over (partition by gateway, source, currency order by minor, reference), 0) as before
        from payments where is_total
      ) as told
      where ${inRange('at')}
      union all
      -- All that was paid of the source, less what went back of it by other events.
      select whole.event_id, whole.at, 'returned', paid.currency, greatest(0, paid.minor - coalesce(returned.minor, 0))
      from payments as whole
      cross join lateral (
        select currency, sum(minor) as minor from payments
        where gateway = whole.gateway and source = whole.source and direction = 'paid' and at <= whole.at
        group by currency
      ) as paid
      left join lateral (
        select sum(minor) as minor from payments
        where gateway = whole.gateway and source = whole.source and direction = 'returned' and currency = paid.currency
      ) as returned on true
      where whole.minor is null and ${inRange('whole.at')}
    )
    select
      width_bucket(at, ${bounds}::timestamptz[]) - 1 as step, currency,
      coalesce(sum(minor) filter (where direction = 'paid'), 0)::text as paid,
      coalesce(sum(minor) filter (where direction = 'returned'), 0)::text as returned,
      (count(*) filter (where direction = 'paid' and minor > 0))::int as payments
    from moved
    where event_id <> all(${dismissed}::text[])
    group by 1, 2 order by 2, 1`.execute(db);
  const unpriced = await sql<{ count: number }>`
    select count(*)::int as count from webhook_events
    where ${inRange('occurred_at')} and facts->>'priced' is null
      and id <> all(${dismissed}::text[])
      and (kind = 'renewal'
        or kind = 'purchase' and outcome <> 'ignored' and facts->>'subscription' is distinct from 'true')`.execute(
    db,
  );
  const codes = [...new Set(rows.map(({ currency }) => currency))];
  return {
    currencies: codes.map((currency) => ofCurrency(currency, rows, bounds.length - 1)),
    unpriced: unpriced.rows[0]?.count ?? 0,
  };
};

const ofCurrency = (currency: string, rows: readonly SalesRow[], count: number): CurrencySales => {
  const own = new Map(rows.filter((row) => row.currency === currency).map((row) => [row.step, row]));
  const steps = Array.from({ length: count }, (_, step): StepSales => {
    const row = own.get(step);
    return row ? { paid: BigInt(row.paid), returned: BigInt(row.returned), payments: row.payments } : nothing;
  });
  const total = steps.reduce(
    (sum, { paid, returned, payments }) => ({
      paid: sum.paid + paid,
      returned: sum.returned + returned,
      payments: sum.payments + payments,
    }),
    nothing,
  );
  return { currency, steps, total };
};
