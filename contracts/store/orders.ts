import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { codedReason } from '../kernel/reasons.ts';
import { memberId } from '../people/members.ts';
import { recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';
import { delivery } from './deliveries.ts';
import { points } from './store.ts';

/**
 * - `test`: a free order by staff, to see how a product arrives
 * - `chat`: typed by a player in the chat of a game
 * - `shop`: paid in an external shop
 * - `season`: given again after a wipe
 */
export const orderSources = ['panel', 'api', 'test', 'chat', 'shop', 'season'] as const;
export type OrderSource = (typeof orderSources)[number];

/** What is bought, by whom, and for whom. */
export const orderRequest = z.strictObject({
  /** The payer. */
  memberId,
  /** The receiver; by default the payer. */
  receiverId: memberId.optional(),
  lines: z
    .array(z.strictObject({ productId: recordId, quantity: z.int().min(1).max(1000).default(1) }))
    .min(1)
    .max(20)
    .refine(
      (lines) => new Set(lines.map(({ productId }) => productId)).size === lines.length,
      'names a product twice',
    ),
  /** Refuses the order if the price has changed in between. */
  expectedTotal: z.int().nonnegative().optional(),
  /** Typed by the buyer. It applies only if no other discount makes the order cheaper; free orders use none. */
  discountCode: z.string().trim().min(1).max(100).optional(),
  /** A free order for staff who test a product; needs `store.write`. */
  isTest: z.boolean().default(false),
});
export type OrderRequest = z.output<typeof orderRequest>;

const orderLine = z.object({
  id: z.string(),
  productId: z.string(),
  productVersion: z.int(),
  name: z.string(),
  game: gameId,
  quantity: z.int(),
  /** With the discount subtracted. */
  unitPrice: points,
  paid: z.int().nonnegative(),
  refunded: z.int().nonnegative(),
  /** Pieces sold beyond the stock. */
  oversold: z.int().nonnegative(),
});

const order = z
  .object({
    id: z.string(),
    createdAt: z.iso.datetime(),
    memberId: z.string(),
    memberName: z.string(),
    receiverId: z.string(),
    receiverName: z.string(),
    source: z.enum(orderSources),
    actorName: z.string().nullable(),
    total: z.int().nonnegative(),
    refunded: z.int().nonnegative(),
    /** The name of its discount at the time; null: it has none. */
    discountName: z.string().nullable(),
    /** `open`: something is still open; `attention`: a person must decide; `done`: all arrived; `undone`: nothing arrived. */
    progress: z.enum(['open', 'attention', 'done', 'partly', 'undone']),
    lines: z.array(orderLine),
  })
  .meta({ id: 'Order' });
export type Order = z.infer<typeof order>;

const orderDetails = order.extend({ deliveries: z.array(delivery) });
export type OrderDetails = z.infer<typeof orderDetails>;

/**
 * Why a code gives no discount.
 * - `unknown`: no discount in use has it
 * - `not-yet`, `ended`: its time has not come, or is over
 * - `used-up`: all its uses are used up
 * - `used`: this member's uses are used up
 * - `role`: the payer has none of its roles on the Discord server
 * - `products`: it is for none of these products
 */
const discountCodeFaults = ['unknown', 'not-yet', 'ended', 'used-up', 'used', 'role', 'products'] as const;
export type DiscountCodeFault = (typeof discountCodeFaults)[number];

/** Why an order would be refused, so that clients can phrase it in the reader's language. */
export const orderRefusal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('points'), total: z.int(), balance: z.int() }),
  /** The order's current price. */
  z.object({ kind: z.literal('price'), total: z.int() }),
  z.object({ kind: z.literal('stock'), left: z.int() }),
  z.object({ kind: z.literal('per-member'), most: z.int(), has: z.int() }),
  z.object({
    kind: z.literal('per-period'),
    most: z.int(),
    days: z.int(),
    has: z.int(),
    /** When the first of them stops counting. */
    until: z.iso.datetime().nullable(),
  }),
  z.object({ kind: z.literal('cooldown'), until: z.iso.datetime() }),
  z.object({ kind: z.literal('code'), fault: z.enum(discountCodeFaults) }),
  /** The order has more deliveries than allowed. */
  z.object({ kind: z.literal('size'), count: z.int(), most: z.int() }),
  z.object({ kind: z.literal('said'), detail: z.string(), reason: codedReason }),
]);
export type OrderRefusalWhy = z.infer<typeof orderRefusal>;

export const orderPreview = z
  .object({
    total: z.int().nonnegative(),
    balance: z.int().nonnegative(),
    lines: z.array(
      z.object({
        productId: z.string(),
        quantity: z.int(),
        /** For one piece, when the schedule has no other price. */
        basePrice: points,
        /** For one piece, now. */
        price: points,
        /** When this price changes; null: never. */
        priceUntil: z.iso.datetime().nullable(),
        /** With the discount subtracted. */
        unitPrice: points,
      }),
    ),
    /** The discount that makes the order cheapest; null: none applies. */
    discount: z
      .object({
        name: z.string(),
        saved: z.int().nonnegative(),
        /** It applies because of the typed code. */
        isByCode: z.boolean(),
      })
      .nullable(),
    /** Why it would be refused; empty if it would be accepted. */
    refusals: z.array(
      z.object({
        productId: z.string().nullable(),
        code: z.string(),
        detail: z.string(),
        why: orderRefusal,
      }),
    ),
    /** What would be sent: the commands for the receiver's first suitable player. */
    deliveries: z.array(
      z.object({
        productId: z.string(),
        position: z.int(),
        points: z.int(),
        command: z.string().nullable(),
        detail: z.string().nullable(),
        /** The code of `detail`, if it is one of the API's sentences. */
        reason: codedReason,
      }),
    ),
  })
  .meta({ id: 'OrderPreview' });
export type OrderPreview = z.infer<typeof orderPreview>;

const ofOrder = z.object({ id: recordId });
/** Why the store refuses an order; the same for everyone who places it. */
export const orderRefusals = [
  'NOT_FOUND',
  'INSUFFICIENT_POINTS',
  'PRODUCT_NOT_FOR_SALE',
  'LIMIT_REACHED',
  'OUT_OF_STOCK',
  'PRICE_CHANGED',
  'DISCOUNT_CODE_INVALID',
  'RATE_LIMITED',
  'MEMBER_GONE',
  'RECIPIENT_UNSEEN',
] as const;

export const ordersHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/orders',
    summary: 'List orders, newest first',
    access: 'orders.read',
    query: pageQuery.extend({ memberId: memberId.optional(), productId: recordId.optional() }),
    response: pageOf(order),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/orders/:id',
    summary: 'Return an order with its deliveries',
    access: 'orders.read',
    params: ofOrder,
    response: orderDetails,
  }),
  /** Repeating a request with the same key by the same caller returns the current state of the order that the first one placed. */
  place: endpoint({
    method: 'POST',
    path: '/api/orders',
    summary: 'Place an order for a member; with an Idempotency-Key, at most once',
    access: 'orders.write',
    idempotent: true,
    body: orderRequest,
    response: orderDetails,
    problems: [
      ...changeProblems,
      'NOT_FOUND',
      ...orderRefusals,
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_KEY_INVALID',
    ],
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/orders/preview',
    summary: 'Preview what an order would cost and send, and what would prevent it; changes nothing',
    access: 'orders.write',
    body: orderRequest,
    response: orderPreview,
    problems: [...changeProblems, 'NOT_FOUND', 'MEMBER_GONE', 'RATE_LIMITED'],
  }),
  refund: endpoint({
    method: 'POST',
    path: '/api/orders/:id/refund',
    summary: 'Refund the points of an order, or of some of its lines; never more than was paid',
    access: 'orders.write',
    params: ofOrder,
    /** Ids of lines; by default all. */
    body: z.strictObject({
      lineIds: z
        .array(z.string().regex(/^\d{1,18}$/))
        .min(1)
        .max(20)
        .optional(),
    }),
    response: orderDetails,
    problems: [...changeProblems, 'NOT_FOUND', 'DELIVERY_STATE'],
  }),
} as const;
