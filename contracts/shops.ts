import * as z from 'zod';
import { displayName, recordId } from './clusters.ts';
import { gameId } from './games.ts';
import { endpoint } from './http.ts';
import { memberId } from './members.ts';
import { pageOf, pageQuery } from './paging.ts';
import { codedReason } from './reasons.ts';
import { shopOrderReasons } from './shop-order-reasons.ts';
import { shopKinds } from './shop-webhooks.ts';

/** A change of secrets needs the old one and the new one; a third is for a rotation that was never ended. */
export const mostShopSecrets = 3;
export const mostShopProducts = 500;
/** Pieces that one order can be of one product; as in orders of the store. */
export const mostShopQuantity = 1000;

/** How a product of the shop is named in its events. */
const outsideKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters without spaces');

/** What one piece of a shop's product is in the store. */
export const shopProduct = z.strictObject({
  key: outsideKey,
  /** Null: nothing in a game, such as a T-shirt. */
  productId: recordId.nullable(),
  quantity: z.int().min(1).max(mostShopQuantity).default(1),
});
export type ShopProduct = z.output<typeof shopProduct>;

const shopFields = z.strictObject({
  name: displayName,
  isEnabled: z.boolean().default(true),
  /** Whose players its buyers are, where an event does not say. */
  game: gameId,
  /** Gives by a bare name where exactly one player of the game bears it. */
  allowsNames: z.boolean().default(false),
  /** Tebex: takes events from its documented addresses alone. Not behind a proxy that hides them. */
  checksAddress: z.boolean().default(false),
});
export type ShopFields = z.output<typeof shopFields>;

/** Only Tebex documents the addresses that its events come from: of another shop, all would be refused. */
export const addressFault = 'is for Tebex alone: other shops document no addresses';

const shopSecretText = z
  .string()
  .trim()
  .min(16, 'must have at least 16 characters')
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');

export const shop = shopFields
  .extend({
    id: z.string(),
    kind: z.enum(shopKinds),
    version: z.int(),
    /** Where its webhooks go, below the address of the API. */
    path: z.string(),
    /** Never shown again. `fault`: it cannot be opened with the keys that are configured. */
    secrets: z.array(
      z.object({
        id: z.string(),
        createdAt: z.iso.datetime(),
        fault: z.enum(['unknown-key', 'damaged']).nullable(),
      }),
    ),
    products: z.array(
      z.object({
        key: z.string(),
        productId: z.string().nullable(),
        productName: z.string().nullable(),
        quantity: z.int(),
      }),
    ),
    lastEvent: z.object({ type: z.string(), at: z.iso.datetime() }).nullable(),
    /** Events that came again under a known id with another content, and were refused. */
    conflicts: z.int().nonnegative(),
    /** Orders with refunds or disputes that are not known here: their purchase never came, or is named differently. */
    unknownRefunds: z.int().nonnegative(),
    /** Orders that wait for a person. */
    waiting: z.int().nonnegative(),
    /** A shop with orders cannot be removed, only switched off. */
    hasOrders: z.boolean(),
  })
  .meta({ id: 'Shop' });
export type Shop = z.infer<typeof shop>;

/**
 * Why an event was refused.
 * - `signature`: none of the shop's secrets has signed it
 * - `time`: it is signed, more than five minutes from our clock
 * - `address`: it does not come from where the shop sends
 * - `shape`: it is signed, and not as documented
 */
export const shopRefusalKinds = ['signature', 'time', 'address', 'shape'] as const;
export type ShopRefusalKind = (typeof shopRefusalKinds)[number];

const listedShop = shop
  .extend({
    /** The last refusal of each kind in the last 30 days, the newest first. */
    refusals: z.array(z.object({ kind: z.enum(shopRefusalKinds), at: z.iso.datetime() })),
  })
  .meta({ id: 'ListedShop' });
export type ListedShop = z.infer<typeof listedShop>;

/**
 * - `open`: being settled
 * - `waiting`: its player has not been seen yet
 * - `person`: a person has to decide
 * - `given`: an order of the store was placed
 * - `taken-back`: that order was refunded, and taken back as far as it can be; `left` says what stays in the game
 * - `not-given`: there was nothing to give, or it was refunded before
 * - `set-aside`: a person has decided that nothing more is done
 */
export const shopOrderStates = [
  'open',
  'waiting',
  'person',
  'given',
  'taken-back',
  'not-given',
  'set-aside',
] as const;
export type ShopOrderState = (typeof shopOrderStates)[number];

/** What a person can give all the same; of `season-regrant` what the season gives is left to the member. */
export const givableReasons = [
  'part-refunded',
  'dispute-won',
  'contradicts',
  'refunds-unseen',
  'not-delivered',
  'season-regrant',
] as const;
/** What a person ends by choosing a receiver. */
export const receiverReasons = [
  'receiver-missing',
  'receiver-unknown',
  'receiver-by-name',
  'receiver-several',
  'receiver-unseen',
] as const;

/** A product that was refunded and not taken back in the game. Not certain: no one can tell whether it is there. */
const shopOrderLeft = z.object({ product: z.string(), isCertain: z.boolean() });
export type ShopOrderLeft = z.infer<typeof shopOrderLeft>;

export const shopOrder = z
  .object({
    id: z.string(),
    version: z.int(),
    shopId: z.string(),
    shopName: z.string(),
    externalId: z.string(),
    createdAt: z.iso.datetime(),
    state: z.enum(shopOrderStates),
    reason: z.enum(shopOrderReasons).nullable(),
    /** What it is about: keys of the shop's products, or the name of a product of the store. */
    detail: z.string(),
    /** What the store said. */
    said: z.object({ text: z.string(), reason: codedReason }).nullable(),
    lines: z.array(z.object({ product: z.string(), quantity: z.number() })),
    /** As the shop named the receiver; empty if it did not. */
    receiver: z.string(),
    memberId: z.string().nullable(),
    memberName: z.string().nullable(),
    amount: z.object({ value: z.string(), currency: z.string() }).nullable(),
    orderId: z.string().nullable(),
    /** Of that order. */
    left: z.array(shopOrderLeft),
  })
  .meta({ id: 'ShopOrder' });
export type ShopOrder = z.infer<typeof shopOrder>;

const reading = ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'] as const;
const writing = [...reading, 'CROSS_ORIGIN', 'NOT_FOUND', 'CONFLICT'] as const;
const withStepUp = ['PERSON_REQUIRED', 'STEP_UP_REQUIRED'] as const;
const ofOne = z.object({ id: recordId });
const version = z.int().positive();

/** A shop's secret is worth all that its events can give: who changes it is asked again. */
const changing = { access: 'shops.write', proof: 'step-up', response: shop } as const;
const deciding = {
  access: 'shops.write',
  params: ofOne,
  response: shopOrder,
  problems: [...writing, 'MEMBER_GONE'],
} as const;

export const shopsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/store/shops',
    summary: 'Outside shops with what their products are in the store',
    access: 'shops.read',
    response: z.object({ rows: z.array(listedShop) }),
    problems: reading,
  }),
  create: endpoint({
    ...changing,
    method: 'POST',
    path: '/api/store/shops',
    summary: 'Add an outside shop',
    body: shopFields
      .extend({ kind: z.enum(shopKinds), secret: shopSecretText.optional() })
      .refine(({ kind, checksAddress }) => kind === 'tebex' || !checksAddress, {
        path: ['checksAddress'],
        error: addressFault,
      }),
    problems: [...writing, ...withStepUp],
  }),
  change: endpoint({
    ...changing,
    method: 'PATCH',
    path: '/api/store/shops/:id',
    summary: 'Change an outside shop',
    params: ofOne,
    body: shopFields.extend({ version }),
    problems: [...writing, ...withStepUp],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/store/shops/:id',
    summary: 'Remove an outside shop that has no orders',
    access: 'shops.write',
    proof: 'step-up',
    params: ofOne,
    response: z.object({}),
    problems: [...writing, ...withStepUp],
  }),
  setProducts: endpoint({
    ...changing,
    method: 'PUT',
    path: '/api/store/shops/:id/products',
    summary: 'Say what the products of a shop are in the store; orders that waited for it go on',
    params: ofOne,
    body: z.strictObject({
      version,
      products: z
        .array(shopProduct)
        .max(mostShopProducts)
        .refine(
          (products) =>
            new Set(products.map(({ key, productId }) => `${key} ${productId ?? ''}`)).size ===
            products.length,
          'names the same twice',
        ),
    }),
    problems: [...writing, ...withStepUp],
  }),
  addSecret: endpoint({
    ...changing,
    method: 'POST',
    path: '/api/store/shops/:id/secrets',
    summary: 'Add a secret that proves events of a shop, beside those that it has',
    params: ofOne,
    body: z.strictObject({ secret: shopSecretText }),
    problems: [...writing, ...withStepUp],
  }),
  removeSecret: endpoint({
    ...changing,
    method: 'POST',
    path: '/api/store/shops/:id/secrets/:secretId/remove',
    summary: 'Remove a secret of a shop',
    params: ofOne.extend({ secretId: recordId }),
    body: z.strictObject({}),
    problems: [...writing, ...withStepUp],
  }),
  orders: endpoint({
    method: 'GET',
    path: '/api/store/shop-orders',
    summary: 'Orders of outside shops, the newest first',
    access: 'shops.read',
    query: pageQuery.extend({
      shopId: recordId.optional(),
      state: z.enum(shopOrderStates).optional(),
    }),
    response: pageOf(shopOrder),
    problems: reading,
  }),
  assign: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/receiver',
    summary: 'Say who gets an order of an outside shop',
    body: z.strictObject({ version, memberId }),
  }),
  give: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/give',
    summary: 'Give an order of an outside shop despite its reason: what is left of it, or again',
    body: z.strictObject({ version }),
  }),
  retry: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/retry',
    summary: 'Look at an order of an outside shop again, also at one that was set aside',
    body: z.strictObject({ version }),
  }),
  dismiss: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/dismiss',
    summary: 'Set an order of an outside shop aside: nothing more is given or taken for this reason',
    body: z.strictObject({ version }),
  }),
} as const;
