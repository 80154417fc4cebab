import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { exportTypes } from '../kernel/logs.ts';
import { ledgerKinds } from '../people/members.ts';
import { orderSources } from './orders.ts';

const figureSteps = ['day', 'week', 'month'] as const;
export type FigureStep = (typeof figureSteps)[number];

/** Ten years. */
const mostFigureDays = 3660;
/** The most steps that a chart can show. */
const mostFigureSteps = 800;
export const mostSellers = 100;

const dayMs = 86_400_000;
const daysOfStep = { day: 1, week: 7, month: 28 } as const satisfies Record<FigureStep, number>;

/** @returns the number of days from first to last, both included */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** The finest step that is easy to read. */
export const stepFor = (days: number): FigureStep => {
  if (days <= 92) return 'day';
  return days <= 732 ? 'week' : 'month';
};

const date = z.iso
  .date()
  .refine((day) => day >= '2000-01-01' && day <= '2999-12-31', 'must be in the years from 2000 to 2999');

/** Either the last days until today, or two dates in the community's time zone, both included. */
export const figureQuery = z
  .object({
    days: z.coerce.number().int().min(1).max(mostFigureDays).optional(),
    from: date.optional(),
    to: date.optional(),
    /** If absent, chosen by the length of the range. */
    step: z.enum(figureSteps).optional(),
  })
  .superRefine(({ days, from, to, step }, context) => {
    const fault = (message: string) => context.addIssue({ code: 'custom', message });
    if ((from === undefined) !== (to === undefined)) return fault('from and to are given together');
    if (days !== undefined && from !== undefined) return fault('days and dates exclude each other');
    if (from !== undefined && to !== undefined && from > to) return fault('from must not be after to');
    const count = from === undefined || to === undefined ? (days ?? 30) : daysBetween(from, to);
    if (count > mostFigureDays) return fault(`spans more than ${mostFigureDays} days`);
    if (step !== undefined && count / daysOfStep[step] > mostFigureSteps)
      fault(`has more than ${mostFigureSteps} steps: choose a longer step`);
  });
export type FigureQuery = z.output<typeof figureQuery>;

const figureRange = z.object({
  /** The community's time zone. */
  timeZone: z.string(),
  step: z.enum(figureSteps),
  from: z.iso.date(),
  to: z.iso.date(),
});

const amount = z.int().nonnegative();
/** The first day of a step; weeks begin on Monday, and the first step begins with the range. */
const stepStart = z.iso.date();

/** Sources that count as sales: not a test, nor what a season gives again. */
export const salesSources = orderSources.filter((source) => source !== 'test' && source !== 'season');

/** Amounts as decimals, such as `12.90`; different currencies are never summed. */
const shopMoney = z.object({
  /** As the shop names it, in capitals. */
  currency: z.string(),
  paid: z.string(),
  /** Of that, for orders that were refunded or charged back as a whole. */
  refunded: z.string(),
});
export type ShopMoney = z.infer<typeof shopMoney>;

const sold = z.object({ orders: amount, pieces: amount, points: amount });

const salesStep = sold.extend({
  start: stepStart,
  /** Orders for another member than the payer. */
  gifts: amount,
  /** Points refunded in this step, whenever they were paid. */
  refunded: amount,
  /** Points of refunds that were charged again. */
  chargedAgain: amount,
  sources: z.array(sold.extend({ source: z.enum(orderSources) })),
  /** What external shops reported as paid for orders that arrived in this step; null for callers who may not see shops. */
  money: z.array(shopMoney).nullable(),
});
export type SalesStep = z.infer<typeof salesStep>;

const seller = sold.extend({
  productId: z.string(),
  name: z.string(),
  /** Pieces of lines of which nothing is left: cancelled, failed or fully refunded. */
  undone: amount,
  /** Points of these sales that have been refunded so far. */
  refunded: amount,
  /** Pieces of these sales that have been refunded so far, also of orders paid outside; a part of a bundle is a fraction. */
  refundedPieces: z.number().nonnegative(),
});
export type Seller = z.infer<typeof seller>;

const flow = z.object({
  kind: z.enum(ledgerKinds),
  /** Into wallets, from outside. */
  in: amount,
  /** Out of wallets. */
  out: amount,
  /** From wallet to wallet. */
  moved: amount,
  entries: amount,
});
const pointsStep = z.object({ start: stepStart, kinds: z.array(flow) });
export type PointsStep = z.infer<typeof pointsStep>;

/** The deliveries of sales that were ordered in the range. */
const serverFigures = z.object({
  /** Null: not sent to any server, or a role in Discord. */
  serverId: z.string().nullable(),
  /** Also null for callers who may not see the server. */
  name: z.string().nullable(),
  deliveries: amount,
  open: amount,
  delivered: amount,
  /** Delivered ones without proof. */
  unconfirmed: amount,
  failed: amount,
  unknown: amount,
  cancelled: amount,
  /** From the order to the arrival; null if none arrived automatically. */
  medianSeconds: z.number().nonnegative().nullable(),
});
export type ServerFigures = z.infer<typeof serverFigures>;

const reading = {
  method: 'GET',
  access: 'orders.read',
  query: figureQuery,
  problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'DATABASE_UNAVAILABLE'],
} as const;
const csv = { ...reading, response: z.string(), contentType: exportTypes.csv } as const;

export const storeFiguresHttp = {
  sales: endpoint({
    ...reading,
    path: '/api/store/figures/sales',
    summary: 'Return orders, pieces and points over time, by source; tests do not count',
    response: figureRange.extend({ steps: z.array(salesStep) }).meta({ id: 'SalesFigures' }),
  }),
  salesCsv: endpoint({
    ...csv,
    path: '/api/store/figures/sales.csv',
    summary: 'Export sales over time as CSV',
    download: 'castellan-sales.csv',
  }),
  sellers: endpoint({
    ...reading,
    path: '/api/store/figures/products',
    summary: 'List the best sellers by points, then by pieces',
    response: figureRange
      .extend({
        /** The number of products sold; the rows are the first of them. */
        total: amount,
        rows: z.array(seller),
      })
      .meta({ id: 'ProductFigures' }),
  }),
  sellersCsv: endpoint({
    ...csv,
    path: '/api/store/figures/products.csv',
    summary: 'Export all sold products as CSV',
    download: 'castellan-products.csv',
  }),
  points: endpoint({
    ...reading,
    path: '/api/store/figures/points',
    summary: 'Return points into and out of wallets over time, by kind of entry',
    response: figureRange.extend({ steps: z.array(pointsStep) }).meta({ id: 'PointsFigures' }),
  }),
  pointsCsv: endpoint({
    ...csv,
    path: '/api/store/figures/points.csv',
    summary: 'Export points in and out as CSV',
    download: 'castellan-points.csv',
  }),
  servers: endpoint({
    ...reading,
    path: '/api/store/figures/servers',
    summary: 'Return how deliveries ended on each server, and how long they took',
    response: figureRange.extend({ rows: z.array(serverFigures) }).meta({ id: 'ServerFigures' }),
  }),
  serversCsv: endpoint({
    ...csv,
    path: '/api/store/figures/servers.csv',
    summary: 'Export how deliveries ended on each server as CSV',
    download: 'castellan-deliveries.csv',
  }),
} as const;
