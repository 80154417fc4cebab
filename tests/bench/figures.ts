import { parseArgs } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { migrations } from '../../server/kernel/database/migrations.ts';
import { createSchemaUpgrade } from '../../server/kernel/database/schema-upgrade.ts';
import type { Tables } from '../../server/kernel/database/tables.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import { figureRangeOf } from '../../server/store/store-figures/figure-range.ts';
import {
  readPoints,
  readSales,
  readSellers,
  readServers,
} from '../../server/store/store-figures/read-figures.ts';
import type { Bench } from './harness/report.ts';
import { median } from './harness/statistics.ts';

const rounds = 5;
/** For 90 days, the longest range that the panel shows day by day. */
const aimMs = 1000;
const days = 400;

/** Orders of one or two lines, spread over the days and inserted in order of time, as in a real store. */
const seed = (orders: number) => [
  `insert into members select from generate_series(1, 2000)`,
  `insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`,
  `insert into game_servers (id, cluster_id, name, name_key, game, port)
   select 's' || n, 'c', 'Server ' || n, 'server ' || n, 'minecraft', 1 from generate_series(1, 10) n`,
  `insert into products (id) select 'p' || n from generate_series(1, 200) n`,
  `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
   select id, 1, id, id, '', '', 50, 'minecraft', '[]' from products`,
  `insert into orders (id, created_at, member_id, receiver_id, total, source, actor)
   select 'o' || n, now() - interval '${days} days' * (1 - n / ${orders}.0), 1 + n % 2000, 1 + (n + (n % 10 = 0)::int) % 2000,
          case when n % 50 = 0 then 0 else 100 end,
          case when n % 50 = 0 then 'test' when n % 3 = 0 then 'api' else 'panel' end, 'bench'
   from generate_series(1, ${orders}) n`,
  `insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price, created_at, undone_at)
   select orders.id, 'p' || 1 + (number * 7 + k * 13) % 200, 1, receiver_id, 1 + number % 3,
          case source when 'test' then 0 else 50 end, created_at, case when number % 20 = 0 then created_at end
   from orders cross join generate_series(1, 2) k where k = 1 or number % 3 = 0 order by number`,
  `insert into deliveries (created_at, order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, points,
                           state, certainty, server_id, epoch, ended_at, refunded_at)
   select created_at, order_id, id, receiver_id, 'minecraft', '{}', '{}', '{"kind": "item", "item": "minecraft:diamond", "quantity": 3}',
          quantity * unit_price, state, case when state = 'delivered' then case when id % 9 = 0 then 'unconfirmed' else 'proven' end end,
          's' || 1 + id % 10, 1, created_at + interval '1 second' * (id % 5000), undone_at
   from order_lines cross join lateral (
     select case when id % 40 = 0 then 'failed' when id % 90 = 0 then 'unknown' else 'delivered' end as state) ended order by id`,
  `insert into ledger (at, kind, from_account, from_member, to_account, amount, order_id, actor)
   select created_at, 'purchase', 'wallet', member_id, 'sales', total, id, 'bench' from orders where total > 0 order by number`,
  `insert into ledger (at, kind, from_account, to_account, to_member, amount, actor)
   select refunded_at, 'refund', 'sales', 'wallet', member_id, points, 'bench'
   from deliveries where refunded_at is not null and points > 0 order by refunded_at`,
];

interface Told {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Scanned rows, by access path. */
const scansOf = (plan: Plan): readonly { readonly way: string; readonly rows: number }[] => {
  const name = plan['Index Name'] ?? plan['Relation Name'];
  const below = (plan.Plans ?? []).flatMap(scansOf);
  if (name === undefined || !/Scan$/.test(plan['Node Type']) || plan['Node Type'] === 'Bitmap Heap Scan')
    return below;
  const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return [{ way: `${plan['Node Type']} ${name}`, rows: Math.round(rows) }, ...below];
};

const timed = async (act: () => Promise<unknown>, times = rounds): Promise<number> => {
  const all = [];
  for (let index = 0; index < times; index += 1) {
    const began = performance.now();
    await act();
    all.push(performance.now() - began);
  }
  return median(all);
};

export const figuresBench: Bench = {
  summary: 'figures of the store over ranges, beside a reading of every row that is added up in the program',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { orders: { type: 'string', default: '1000000' }, json: { type: 'boolean' } },
    });
    const orders = Number(values.orders);
    await using folder = await temporaryFolder('bench-figures');
    await using postgres = await openTestCluster(folder.path, await freePort());
    await postgres.start();
    const log = createLog({ component: 'api', level: 'error' });
    const pool = new pg.Pool({
      connectionString: postgres.databaseUrl.reveal(),
      max: 4,
    });
    const told: Told[] = [];
    await using database = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void told.push(query),
    });
    await createSchemaUpgrade({
      pool,
      migrations,
      folders: { data: folder.path, backups: folder.path },
      log,
    })();
    say(`seeding ${orders} orders over ${days} days`);
    const superuser = await postgres.cluster.connect('castellan');
    // Without triggers and foreign keys: the rows are consistent by construction.
    await superuser.query(`set session_replication_role = 'replica'`);
    for (const statement of seed(orders)) await superuser.query(statement);
    await superuser.end();
    await pool.query('vacuum analyze');

    const now = new Date();
    const rangeOf = (count: number) => figureRangeOf({ days: count }, 'America/Sao_Paulo', now);
    const readings = {
      sales: (count: number) => readSales(database, rangeOf(count), true),
      products: (count: number) => readSellers(database, rangeOf(count), 100),
      points: (count: number) => readPoints(database, rangeOf(count)),
      servers: (count: number) => readServers(database, rangeOf(count)),
    };
    const tables: Record<string, Record<string, Record<string, number>>> = {};
    const findings: string[] = [];
    let slowest90 = 0;
    for (const [name, read] of Object.entries(readings)) {
      const rows: Record<string, Record<string, number>> = {};
      for (const count of [7, 30, 90, 365]) {
        await read(count);
        const ms = await timed(() => read(count));
        const rowMs = await timed(() => naive[name as keyof typeof naive](pool, rangeOf(count)), 1);
        rows[`${count} days`] = { 'median ms': ms, 'row by row ms': rowMs, ratio: rowMs / ms };
        if (count === 90) slowest90 = Math.max(slowest90, ms);
        told.length = 0;
        await read(count);
        for (const { sql: statement, parameters } of [...told]) {
          const { rows: plans } = await pool.query(`explain (analyze, format json) ${statement}`, [
            ...parameters,
          ]);
          const scans = scansOf(plans[0]['QUERY PLAN'][0].Plan);
          findings.push(
            `${name}, ${count} days: ${scans.map(({ way, rows: seen }) => `${way}: ${seen}`).join('; ')}`,
          );
        }
      }
      tables[`Figures: ${name}`] = rows;
      say(`${name} measured`);
    }
    return {
      title: `${orders} orders over ${days} days`,
      tables,
      findings,
      aims: [
        {
          what: 'the slowest figure of 90 days, median ms',
          value: slowest90,
          aim: `< ${aimMs}`,
          met: slowest90 < aimMs,
        },
      ],
    };
  },
};

type Range = ReturnType<typeof figureRangeOf>;

/** Reads the rows and sums them by day in maps. */
const addUp = async (
  pool: pg.Pool,
  range: Range,
  statement: string,
  key: (row: Record<string, unknown>) => string,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await pool.query(statement, [range.bounds[0], range.end]);
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: range.timeZone });
  const sums = new Map<string, number>();
  for (const row of rows) {
    const at = `${day.format(row.at as Date)} ${key(row)}`;
    sums.set(at, (sums.get(at) ?? 0) + Number(row.amount));
  }
  return sums;
};

const naive = {
  sales: (pool: pg.Pool, range: Range) =>
    addUp(
      pool,
      range,
      `select orders.created_at as at, source, quantity * unit_price as amount
       from orders join order_lines on order_id = orders.id
       where orders.created_at >= $1 and orders.created_at < $2`,
      ({ source }) => String(source),
    ),
  products: (pool: pg.Pool, range: Range) =>
    addUp(
      pool,
      range,
      `select orders.created_at as at, product_id, quantity * unit_price as amount
       from orders join order_lines on order_id = orders.id
       where orders.created_at >= $1 and orders.created_at < $2`,
      ({ product_id }) => String(product_id),
    ),
  points: (pool: pg.Pool, range: Range) =>
    addUp(pool, range, `select at, kind, amount from ledger where at >= $1 and at < $2`, ({ kind }) =>
      String(kind),
    ),
  servers: (pool: pg.Pool, range: Range) =>
    addUp(
      pool,
      range,
      `select created_at as at, server_id, state, extract(epoch from ended_at - created_at) as amount
       from deliveries where created_at >= $1 and created_at < $2`,
      ({ server_id, state }) => `${server_id} ${state}`,
    ),
};
