import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ordersHttp } from '#contracts/store/orders.ts';
import type { ProductLine } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { testAgentSecret, testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';
import { openTestCluster } from '../../../server/kernel/testing/test-cluster.ts';
import { createSchema, isReady, seedServers } from '../agents/agents.ts';
import { postRequest, runLoad } from '../harness/load.ts';
import { cpuSeconds, familyCpuSeconds } from '../harness/process-usage.ts';
import type { Bench } from '../harness/report.ts';
import { toSubject } from '../portal-subjects.ts';
import { type DeliveryFigures, figuresOf } from './figures.ts';
import type { GamesOrder } from './game-players.ts';
import { addOldRows } from './old-rows.ts';
import { measureRawJobs } from './raw-jobs.ts';

const servers = 50;
const playersOfEach = 20;
const perSecond = 100;
/** Ten lines per order, so that the bench measures deliveries and not orders. */
const linesOfRush = 10;
const connections = 32;
const warmUps = 200;
const doneMs = 180_000;
const plenty = 1_000_000_000;
const p50AimMs = 15;
const p99AimMs = 100;
const rateAim = 1000;
/** Times the figure with the fewest old rows. */
const flatAim = 1.5;

const start = (file: string): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, file)], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });

const headers = { Authorization: `Bearer ${testDesktopCredential}` };

const makeProduct = async (port: number, name: string, lines: readonly ProductLine[]): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${storeHttp.create.path}`, {
    method: storeHttp.create.method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, price: 1, game: 'minecraft', lines, isEnabled: true }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return storeHttp.create.response.parse(answer).id;
};

const stone: ProductLine = { kind: 'item', item: 'minecraft:stone', quantity: 1 };

/** All players' members, with points. */
const richMembers = (client: pg.Client): Promise<string[]> =>
  eventually(async () => {
    const { rows } = await client.query<{ member_id: string }>('select member_id from players order by id');
    if (rows.length < servers * playersOfEach) throw new Error(`${rows.length} players were seen`);
    const ids = rows.map(({ member_id }) => member_id);
    await client.query(
      `insert into ledger (kind, from_account, to_account, to_member, amount, actor)
       select 'grant', 'issued', 'wallet', id, $2, 'bench' from unnest($1::bigint[]) as id`,
      [ids, plenty],
    );
    return ids;
  }, 120_000);

interface Shop {
  readonly client: pg.Client;
  readonly port: number;
  readonly api: number;
  readonly postmaster: number;
  readonly members: readonly string[];
}

/** Places orders and waits until everything is delivered. @returns the number of the last delivery before them */
const sell = async (
  { client, port, members }: Shop,
  productId: string,
  requests: number,
  pace?: number,
): Promise<number> => {
  const { rows } = await client.query('select coalesce(max(number), 0)::int as last from deliveries');
  const { statuses } = await runLoad({
    port,
    connections,
    requests,
    ...(pace === undefined ? {} : { perSecond: pace }),
    request: (index) =>
      postRequest(
        ordersHttp.place.path,
        { memberId: members[index % members.length], lines: [{ productId, quantity: 1 }] },
        headers,
      ),
  });
  if (Object.keys(statuses).join() !== '200')
    throw new Error(`orders were answered ${JSON.stringify(statuses)}`);
  await eventually(async () => {
    const { rows: open } = await client.query(
      `select count(*)::int as count from deliveries where state in ('pending', 'waiting', 'sending')`,
    );
    if (open[0].count > 0) {
      await delay(100);
      throw new Error(`${open[0].count} are open`);
    }
  }, doneMs);
  return rows[0].last;
};

/** From the start of an order's transaction to the statement that stores the game's answer. */
const timesSince = `
  select extract(epoch from ended_at - created_at)::float8 * 1000 as ms,
         extract(epoch from max(ended_at) over () - min(created_at) over ())::float8 as seconds
  from deliveries where number > $1 and state = 'delivered'`;

/** The shop's cost so far. */
const costs = async ({ client, api, postmaster }: Shop) => {
  const { rows } = await client.query(
    'select xact_commit::int as commits from pg_stat_database where datname = current_database()',
  );
  return {
    apiMs: cpuSeconds(api) * 1000,
    postgresMs: familyCpuSeconds(postmaster) * 1000,
    commits: rows[0].commits as number,
  };
};

const measure = async (
  shop: Shop,
  products: { readonly one: string; readonly ten: string },
  { paced, rushed }: { readonly paced: number; readonly rushed: number },
): Promise<DeliveryFigures> => {
  await sell(shop, products.one, warmUps, perSecond);
  const read = async (after: number) =>
    (await shop.client.query<{ ms: number; seconds: number }>(timesSince, [after])).rows;
  const steady = await read(await sell(shop, products.one, paced, perSecond));
  const before = await costs(shop);
  const rush = await read(await sell(shop, products.ten, Math.ceil(rushed / linesOfRush)));
  const after = await costs(shop);
  const each = (what: keyof typeof after) => (after[what] - before[what]) / rush.length;
  return {
    ...figuresOf(
      steady.map(({ ms }) => ms),
      rush.length / (rush[0]?.seconds ?? Number.NaN),
    ),
    'API CPU ms each': each('apiMs'),
    'Postgres CPU ms each': each('postgresMs'),
    'commits each': each('commits'),
  };
};

export const deliveriesBench: Bench = {
  summary: 'orders at a steady pace to the game’s acknowledgement through agents, beside raw pg-boss',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rows: { type: 'string', default: '1000,1000000' },
        paced: { type: 'string', default: '2000' },
        rushed: { type: 'string', default: '5000' },
        json: { type: 'boolean' },
      },
    });
    const sizes = values.rows.split(',').map(Number);
    const counts = { paced: Number(values.paced), rushed: Number(values.rushed) };
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('bench-deliveries'));
    const postgres = owned.use(await openTestCluster(folder.path, await freePort(), { fsync: 'on' }));
    const { pid: postmaster } = await postgres.start();
    const url = postgres.databaseUrl.reveal();
    await createSchema(url);
    const serverIds = await seedServers(url, servers);
    const child = start('../agents/api-main.ts');
    child.stdin?.end(url);
    const { port, pid: api } = owned.use(await toSubject(child, Number));
    await isReady(port);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    owned.defer(() => client.end());

    say(`connecting ${servers} agents`);
    const games = start('games-main.ts');
    const ended = once(games, 'exit');
    owned.defer(async () => {
      games.kill('SIGKILL');
      await ended;
    });
    const brokeOff = ended.then(() => Promise.reject(new Error('the games broke off')));
    brokeOff.catch(() => undefined);
    games.send({ port, secret: testAgentSecret, serverIds, playersOfEach } satisfies GamesOrder);
    await Promise.race([once(games, 'message'), brokeOff]);

    const shop: Shop = { client, port, api, postmaster, members: await richMembers(client) };
    const products = {
      one: await makeProduct(port, 'One', [stone]),
      ten: await makeProduct(
        port,
        'Ten',
        Array.from({ length: linesOfRush }, () => stone),
      ),
    };
    const rows: Record<string, DeliveryFigures> = {};
    let seeded = 0;
    for (const size of sizes) {
      say(`${size} old rows`);
      const [memberId = ''] = shop.members;
      await addOldRows(client, { from: seeded, to: size, memberId, productId: products.one });
      seeded = size;
      rows[`${size} old deliveries`] = await measure(shop, products, counts);
    }
    say('pg-boss alone');
    const raw = await measureRawJobs(client, url, { ...counts, perSecond });
    const figures = Object.values(rows);
    const worst = (figure: string) => Math.max(...figures.map((row) => row[figure] ?? Number.NaN));
    const slowest = Math.min(...figures.map((row) => row['per second']));
    const growth = (figures.at(-1)?.['p50 ms'] ?? Number.NaN) / (figures[0]?.['p50 ms'] ?? Number.NaN);
    return {
      title: `Deliveries over ${servers} servers with ${playersOfEach} players each: ${counts.paced} at ${perSecond} a second, ${counts.rushed} as fast as they go`,
      tables: { 'Order taken to item acknowledged': { ...rows, 'pg-boss alone: send, work, complete': raw } },
      aims: [
        { what: 'p50 ms', value: worst('p50 ms'), aim: `< ${p50AimMs}`, met: worst('p50 ms') < p50AimMs },
        { what: 'p99 ms', value: worst('p99 ms'), aim: `< ${p99AimMs}`, met: worst('p99 ms') < p99AimMs },
        { what: 'deliveries per second', value: slowest, aim: `>= ${rateAim}`, met: slowest >= rateAim },
        {
          what: 'p50 with the most old deliveries, times that with the fewest',
          value: growth,
          aim: `<= ${flatAim}`,
          met: growth <= flatAim,
        },
      ],
    };
  },
};
