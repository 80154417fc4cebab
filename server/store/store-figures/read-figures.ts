import { type Kysely, sql } from 'kysely';
import type { LedgerEntry } from '#contracts/people/members.ts';
import type { OrderSource } from '#contracts/store/orders.ts';
import type {
  PointsStep,
  SalesStep,
  Seller,
  ServerFigures,
  ShopMoney,
} from '#contracts/store/store-figures.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { FigureRange } from './figure-range.ts';

type Db = Kysely<Tables>;
type Range = Pick<FigureRange, 'starts' | 'bounds' | 'end'>;

/** The step's index in the range, from zero. */
const stepOf = (column: string, { bounds }: Range) =>
  sql<number>`width_bucket(${sql.ref(column)}, ${bounds}::timestamptz[]) - 1`;

const within = (column: string, { bounds, end }: Range) =>
  sql<boolean>`${sql.ref(column)} >= ${bounds[0]} and ${sql.ref(column)} < ${end}`;

/** For lines and deliveries: neither a test nor given again by a season. */
const isSale = sql<boolean>`not exists (
  select from orders as given where given.id = order_id and given.source in ('test', 'season'))`;

const byStep = <Row extends { readonly step: number }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ step }) => step);

const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0);

interface SoldRow {
  readonly step: number;
  readonly source: OrderSource;
  readonly orders: string;
  readonly gifts: string;
  readonly points: string;
  readonly pieces: string;
}

/** What external shops reported as paid, by the day on which the order arrived. The first report of an order counts. */
const readMoney = (db: Db, range: Range) =>
  sql<ShopMoney & { readonly step: number }>`
    select step, currency, sum(value)::text as paid,
           coalesce(sum(value) filter (where reason in ('refunded', 'charged-back')), 0)::text as refunded
    from (
      select ${stepOf('shop_orders.created_at', range)} as step, reason, upper(paid.amount ->> 'currency') as currency,
             (paid.amount ->> 'value')::numeric as value
      from shop_orders cross join lateral (
        select facts -> 'amount' as amount from shop_events
        where shop_order_id = shop_orders.id and facts ->> 'kind' = 'paid' and facts -> 'isTest' is null
          and facts -> 'amount' ->> 'value' ~ '^[0-9]{1,15}([.][0-9]{1,10})?$'
        order by arrived_at, event_id limit 1) as paid
      where ${within('shop_orders.created_at', range)}) as reported
    group by 1, 2 order by 1, 2`.execute(db);

/**
 * Orders by their day, refunds by theirs. Lines have their order's time.
 * @param seesShops whether the money of external shops is read
 */
export const readSales = async (db: Db, range: Range, seesShops: boolean): Promise<readonly SalesStep[]> => {
  const sold = sql<SoldRow>`
    with ordered as (
      select ${stepOf('created_at', range)} as step, source, count(*) as orders,
             count(*) filter (where receiver_id <> member_id) as gifts, sum(total) as points
      from orders where ${within('created_at', range)} and source not in ('test', 'season') group by 1, 2
    ), counted as (
      select ${stepOf('orders.created_at', range)} as step, source, sum(quantity) as pieces
      from orders join order_lines on order_id = orders.id
      where ${within('orders.created_at', range)} and ${within('order_lines.created_at', range)}
        and source not in ('test', 'season') group by 1, 2
    )
    select ordered.*, coalesce(pieces, 0) as pieces from ordered left join counted using (step, source)
    order by step, source`;
  const returned = sql<{ step: number; kind: 'refund' | 'charge'; points: string }>`
    select ${stepOf('at', range)} as step, kind, sum(amount) as points
    from ledger where ${within('at', range)} and kind in ('refund', 'charge') group by 1, 2`;
  const [sales, refunds, money] = await Promise.all([
    sold.execute(db),
    returned.execute(db),
    seesShops ? readMoney(db, range) : null,
  ]);
  const moneyOf = money && byStep(money.rows);
  const [salesOf, refundsOf] = [byStep(sales.rows), byStep(refunds.rows)];
  return range.starts.map((start, step) => {
    const sources = (salesOf.get(step) ?? []).map(({ source, orders, pieces, points }) => ({
      source,
      orders: Number(orders),
      pieces: Number(pieces),
      points: Number(points),
    }));
    const pointsOf = (wanted: 'refund' | 'charge') =>
      Number(refundsOf.get(step)?.find(({ kind }) => kind === wanted)?.points ?? 0);
    return {
      start,
      orders: sumOf(sources, ({ orders }) => orders),
      pieces: sumOf(sources, ({ pieces }) => pieces),
      points: sumOf(sources, ({ points }) => points),
      gifts: sumOf(salesOf.get(step) ?? [], ({ gifts }) => Number(gifts)),
      refunded: pointsOf('refund'),
      chargedAgain: pointsOf('charge'),
      sources,
      money:
        moneyOf &&
        (moneyOf.get(step) ?? []).map(({ currency, paid, refunded }) => ({ currency, paid, refunded })),
    };
  });
};

/** Deliveries are created with their order, but take their time from the database's clock. */
const clockSkew = sql.raw(`interval '1 day'`);

interface SellerRow {
  readonly product_id: string;
  readonly name: string;
  readonly orders: string;
  readonly pieces: string;
  readonly points: string;
  readonly undone: string;
  readonly refunded: string;
  readonly refunded_pieces: number;
  readonly total: string;
}

/** @param limit rows; `total` counts all products */
export const readSellers = async (
  db: Db,
  range: Range,
  limit: number,
): Promise<{ readonly total: number; readonly rows: readonly Seller[] }> => {
  const { rows } = await sql<SellerRow>`
    with line as materialized (
      select id, product_id, quantity, quantity * unit_price as points, undone_at
      from order_lines where ${within('created_at', range)} and ${isSale}
    ), sold as (
      select product_id, count(*) as orders, sum(quantity) as pieces, sum(points) as points,
             coalesce(sum(quantity) filter (where undone_at is not null), 0) as undone
      from line group by 1
    ), returned as (
      select product_id, sum(points) as points, sum(quantity * share)::float8 as pieces
      from (
        select line.id, product_id, quantity, sum(delivery.points) filter (where refunded_at is not null) as points,
               (count(*) filter (where refunded_at is not null))::numeric / count(*) as share
        from line join deliveries as delivery on delivery.order_line_id = line.id
        where delivery.created_at >= ${range.bounds[0]}::timestamptz - ${clockSkew}
          and delivery.created_at < ${range.end}::timestamptz + ${clockSkew}
        group by line.id, product_id, quantity) as returned_line
      group by 1
    )
    select sold.*, coalesce(returned.points, 0) as refunded, coalesce(returned.pieces, 0) as refunded_pieces,
           current.name, count(*) over () as total
    from sold
    left join returned using (product_id)
    join products on products.id = sold.product_id
    join product_versions as current
      on current.product_id = products.id and current.version = products.version
    order by sold.points desc, sold.pieces desc, sold.product_id limit ${limit}`.execute(db);
  return {
    total: Number(rows[0]?.total ?? 0),
    rows: rows.map((row) => ({
      productId: row.product_id,
      name: row.name,
      orders: Number(row.orders),
      pieces: Number(row.pieces),
      points: Number(row.points),
      undone: Number(row.undone),
      refunded: Number(row.refunded),
      refundedPieces: row.refunded_pieces,
    })),
  };
};

interface FlowRow {
  readonly step: number;
  readonly kind: LedgerEntry['kind'];
  readonly in: string;
  readonly out: string;
  readonly moved: string;
  readonly entries: string;
}

export const readPoints = async (db: Db, range: Range): Promise<readonly PointsStep[]> => {
  const { rows } = await sql<FlowRow>`
    select ${stepOf('at', range)} as step, kind, count(*) as entries,
           coalesce(sum(amount) filter (where from_account <> 'wallet' and to_account = 'wallet'), 0) as "in",
           coalesce(sum(amount) filter (where from_account = 'wallet' and to_account <> 'wallet'), 0) as "out",
           coalesce(sum(amount) filter (where from_account = 'wallet' and to_account = 'wallet'), 0) as moved
    from ledger where ${within('at', range)} group by 1, 2 order by 1, 2`.execute(db);
  const kindsOf = byStep(rows);
  return range.starts.map((start, step) => ({
    start,
    kinds: (kindsOf.get(step) ?? []).map((row) => ({
      kind: row.kind,
      in: Number(row.in),
      out: Number(row.out),
      moved: Number(row.moved),
      entries: Number(row.entries),
    })),
  }));
};

interface ServerRow {
  readonly server_id: string | null;
  readonly name: string | null;
  readonly deliveries: string;
  readonly open: string;
  readonly delivered: string;
  readonly unconfirmed: string;
  readonly failed: string;
  readonly unknown: string;
  readonly cancelled: string;
  readonly median_seconds: number | null;
}

/** What a person decided has no arrival time. */
export const readServers = async (db: Db, range: Range): Promise<readonly ServerFigures[]> => {
  const { rows } = await sql<ServerRow>`
    with ended as (
      select server_id, count(*) as deliveries,
             count(*) filter (where state in ('pending', 'waiting', 'sending')) as open,
             count(*) filter (where state = 'delivered') as delivered,
             count(*) filter (where certainty = 'unconfirmed') as unconfirmed,
             count(*) filter (where state = 'failed') as failed,
             count(*) filter (where state = 'unknown') as unknown,
             count(*) filter (where state = 'cancelled') as cancelled,
             percentile_cont(0.5) within group (
               order by greatest(0, extract(epoch from ended_at - created_at))::float8
             ) filter (where state = 'delivered' and certainty <> 'decided') as median_seconds
      from deliveries
      where ${within('created_at', range)}
        and ${isSale}
      group by 1
    )
    select ended.*, server.name from ended left join game_servers as server on server.id = server_id
    order by server.name_key nulls last, server_id`.execute(db);
  return rows.map((row) => ({
    serverId: row.server_id,
    name: row.name,
    deliveries: Number(row.deliveries),
    open: Number(row.open),
    delivered: Number(row.delivered),
    unconfirmed: Number(row.unconfirmed),
    failed: Number(row.failed),
    unknown: Number(row.unknown),
    cancelled: Number(row.cancelled),
    medianSeconds: row.median_seconds,
  }));
};
