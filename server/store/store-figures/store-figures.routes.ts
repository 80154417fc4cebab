import { reasons } from '#contracts/kernel/reasons.ts';
import {
  type FigureQuery,
  mostSellers,
  type PointsStep,
  type SalesStep,
  type Seller,
  type ServerFigures,
  salesSources,
  storeFiguresHttp,
} from '#contracts/store/store-figures.ts';
import { isDatabaseAway } from '#runtime/database/pool.ts';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import { Problem } from '#runtime/problem.ts';
import { type Columns, exportCsv, rowsPerRead } from '#runtime/row-export.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { StoreContext } from '../store-context.ts';
import { figureRangeOf } from './figure-range.ts';
import { readPoints, readSales, readSellers, readServers } from './read-figures.ts';

/** Orders must find a connection however many look at figures. */
const limits = {
  maxRunning: 2,
  maxWaiting: 40,
  tooManyWaiting: () => new Problem('RATE_LIMITED', { detail: reasons['figures-busy'] }),
  isHopeless: isDatabaseAway,
};

export const bindStoreFiguresRoutes = (
  routes: ApiRoutes,
  { db, settings, now }: Pick<StoreContext, 'db' | 'settings' | 'now'>,
): void => {
  const inTurn = limitConcurrency(limits);
  const rangeOf = async (query: FigureQuery) => {
    const { timeZone } = await settings.values('general');
    const range = figureRangeOf(query, timeZone, new Date(now()));
    const { step, from, to } = range;
    return { range, told: { timeZone: range.timeZone, step, from, to } };
  };
  const seenServers = async (query: FigureQuery, actor: Actor) => {
    const { range, told } = await rangeOf(query);
    const rows = await inTurn(() => readServers(db, range));
    return {
      told,
      rows: rows.map((row) =>
        row.serverId === null || may(actor, 'servers.read', row.serverId) ? row : { ...row, name: null },
      ),
    };
  };

  routes.on(storeFiguresHttp.sales, async ({ query }, { actor }) => {
    const { range, told } = await rangeOf(query);
    const steps = await inTurn(() => readSales(db, range, may(actor, 'shops.read')));
    return { ...told, steps: [...steps] };
  });
  routes.on(storeFiguresHttp.salesCsv, async ({ query }, { actor }) => {
    const { range } = await rangeOf(query);
    return exportAll(await inTurn(() => readSales(db, range, may(actor, 'shops.read'))), salesColumns);
  });
  routes.on(storeFiguresHttp.sellers, async ({ query }) => {
    const { range, told } = await rangeOf(query);
    const { total, rows } = await inTurn(() => readSellers(db, range, mostSellers));
    return { ...told, total, rows: [...rows] };
  });
  routes.on(storeFiguresHttp.sellersCsv, async ({ query }) => {
    const { range } = await rangeOf(query);
    return exportAll((await inTurn(() => readSellers(db, range, mostExported))).rows, sellerColumns);
  });
  routes.on(storeFiguresHttp.points, async ({ query }) => {
    const { range, told } = await rangeOf(query);
    return { ...told, steps: [...(await inTurn(() => readPoints(db, range)))] };
  });
  routes.on(storeFiguresHttp.pointsCsv, async ({ query }) => {
    const { range } = await rangeOf(query);
    return exportAll(flat(await inTurn(() => readPoints(db, range))), pointsColumns);
  });
  routes.on(storeFiguresHttp.servers, async ({ query }, { actor }) => {
    const { told, rows } = await seenServers(query, actor);
    return { ...told, rows };
  });
  routes.on(storeFiguresHttp.serversCsv, async ({ query }, { actor }) =>
    exportAll((await seenServers(query, actor)).rows, serverColumns),
  );
};

/** More products than a catalogue has. */
const mostExported = 100_000;

/** Sums are few: they are read at once, and sent like any export. */
const exportAll = <Row>(rows: readonly Row[], columns: Columns<Row>) => {
  let sent = 0;
  return exportCsv<Row>(async () => {
    const page = rows.slice(sent, sent + rowsPerRead);
    sent += page.length;
    return page;
  }, columns);
};

const salesColumns: Columns<SalesStep> = {
  start: ({ start }) => start,
  orders: ({ orders }) => String(orders),
  pieces: ({ pieces }) => String(pieces),
  points: ({ points }) => String(points),
  gifts: ({ gifts }) => String(gifts),
  refunded: ({ refunded }) => String(refunded),
  chargedAgain: ({ chargedAgain }) => String(chargedAgain),
  ...Object.fromEntries(
    salesSources.flatMap((wanted) =>
      (['orders', 'pieces', 'points'] as const).map((name) => [
        `${wanted} ${name}`,
        ({ sources }: SalesStep) => String(sources.find(({ source }) => source === wanted)?.[name] ?? 0),
      ]),
    ),
  ),
  money: ({ money }) => moneyText(money, 'paid'),
  moneyRefunded: ({ money }) => moneyText(money, 'refunded'),
};

/** "12.90 EUR; 5 USD". */
const moneyText = (money: SalesStep['money'], which: 'paid' | 'refunded'): string | null =>
  money?.map((one) => `${one[which]} ${one.currency}`).join('; ') ?? null;

const sellerColumns: Columns<Seller> = {
  productId: ({ productId }) => productId,
  name: ({ name }) => name,
  orders: ({ orders }) => String(orders),
  pieces: ({ pieces }) => String(pieces),
  points: ({ points }) => String(points),
  undone: ({ undone }) => String(undone),
  refunded: ({ refunded }) => String(refunded),
  refundedPieces: ({ refundedPieces }) => String(refundedPieces),
};

type Flow = PointsStep['kinds'][number] & { readonly start: string };
const flat = (steps: readonly PointsStep[]): readonly Flow[] =>
  steps.flatMap(({ start, kinds }) => kinds.map((kind) => ({ start, ...kind })));

const pointsColumns: Columns<Flow> = {
  start: ({ start }) => start,
  kind: ({ kind }) => kind,
  in: (flow) => String(flow.in),
  out: ({ out }) => String(out),
  moved: ({ moved }) => String(moved),
  entries: ({ entries }) => String(entries),
};

const serverColumns: Columns<ServerFigures> = {
  serverId: ({ serverId }) => serverId,
  name: ({ name }) => name,
  deliveries: ({ deliveries }) => String(deliveries),
  open: ({ open }) => String(open),
  delivered: ({ delivered }) => String(delivered),
  unconfirmed: ({ unconfirmed }) => String(unconfirmed),
  failed: ({ failed }) => String(failed),
  unknown: ({ unknown }) => String(unknown),
  cancelled: ({ cancelled }) => String(cancelled),
  medianSeconds: ({ medianSeconds }) => (medianSeconds === null ? null : medianSeconds.toFixed(3)),
};
