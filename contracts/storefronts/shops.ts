import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { withoutInvisible } from '../kernel/pasted-text.ts';
import { codedReason } from '../kernel/reasons.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { addressCheck } from '../operations/public-address.ts';
import { memberId } from '../people/members.ts';
import { displayName, recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';
import { shopOrderReasons } from './shop-order-reasons.ts';
import { shopKinds } from './shop-webhooks.ts';

/** Changing secrets needs the old and the new one; a third is for a change that was never finished. */
export const mostShopSecrets = 3;
export const mostShopProducts = 500;
/** The most pieces of one product in an order; as in orders of the store. */
export const mostShopQuantity = 1000;

/** The name of a product in the shop's events. */
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
  /** The game of its buyers' players, if an event does not say. */
  game: gameId,
  /** Accepts a bare name if exactly one player of the game has it. */
  allowsNames: z.boolean().default(false),
  /** Tebex: accepts events only from its documented addresses. Not behind a proxy that hides them. */
  checksAddress: z.boolean().default(false),
});
export type ShopFields = z.output<typeof shopFields>;

/** Only Tebex documents the addresses of its events: for another shop, all would be refused. */
export const addressFault = 'is for Tebex alone: other shops document no addresses';

const shopSecretText = z
  .string()
  .overwrite((text) => withoutInvisible(text).trim())
  .min(16, 'must have at least 16 characters')
  .max(200)
  .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces');

const shop = shopFields
  .extend({
    id: z.string(),
    kind: z.enum(shopKinds),
    version: z.int(),
    /** The target of its webhooks, below the API's address. */
    path: z.string(),
    /** Never shown again. `fault`: it cannot be opened with the configured keys. */
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
    /** Events that arrived again with a known id but different content, and were refused. */
    conflicts: z.int().nonnegative(),
    /** Orders with refunds or disputes that are not known here: their purchase never arrived, or has another name. */
    unknownRefunds: z.int().nonnegative(),
    /** Types of events that are kept but not read, the most frequent first; at most ten. */
    unread: z.array(z.object({ type: z.string(), count: z.int().positive() })),
    /** Orders that wait for a person. */
    waiting: z.int().nonnegative(),
    /** A shop with orders cannot be removed, only switched off. */
    hasOrders: z.boolean(),
  })
  .meta({ id: 'Shop' });
export type Shop = z.infer<typeof shop>;

/**
 * Why an event was refused.
 * - `signature`: it is not signed with any of the shop's secrets
 * - `time`: it is signed, but more than five minutes from our clock
 * - `address`: it does not come from the shop's addresses
 * - `shape`: it is signed, but not in the documented form
 */
export const shopRefusalKinds = ['signature', 'time', 'address', 'shape'] as const;
export type ShopRefusalKind = (typeof shopRefusalKinds)[number];

const listedShop = shop
  .extend({
    /** The last refusal of each kind in the last 30 days, newest first. */
    refusals: z.array(
      z.object({
        kind: z.enum(shopRefusalKinds),
        at: z.iso.datetime(),
        /** The event's field that `shape` is about, such as `lines.0.quantity`; null: none, or another kind. */
        field: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'ListedShop' });
export type ListedShop = z.infer<typeof listedShop>;

/**
 * - `open`: in progress
 * - `waiting`: its player has not been seen yet
 * - `person`: a person has to decide
 * - `given`: an order of the store was placed
 * - `taken-back`: that order was refunded, and taken back as far as possible; `left` says what stays in the game
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

/** Reasons despite which a person can give the order; with `season-regrant`, the member keeps what the season gives. */
export const givableReasons = [
  'part-refunded',
  'dispute-won',
  'contradicts',
  'test-purchase',
  'refunds-unseen',
  'not-delivered',
  'season-regrant',
] as const;
/** Reasons that a person resolves by choosing a receiver. */
export const receiverReasons = [
  'receiver-missing',
  'receiver-unknown',
  'receiver-by-name',
  'receiver-several',
  'receiver-unseen',
] as const;

/** A product that was refunded but not taken back in the game. Not certain: no one can tell whether it is there. */
const shopOrderLeft = z.object({ product: z.string(), isCertain: z.boolean() });
export type ShopOrderLeft = z.infer<typeof shopOrderLeft>;

const shopOrder = z
  .object({
    id: z.string(),
    version: z.int(),
    shopId: z.string(),
    shopName: z.string(),
    externalId: z.string(),
    createdAt: z.iso.datetime(),
    /** When the last of it arrived; null: some of it has not, or nothing was to be delivered. */
    deliveredAt: z.iso.datetime().nullable(),
    /** When it was taken back; null: it was not, or before Castellan remembered it. */
    takenBackAt: z.iso.datetime().nullable(),
    state: z.enum(shopOrderStates),
    reason: z.enum(shopOrderReasons).nullable(),
    /** What the reason refers to: keys of the shop's products, or the name of a product of the store. */
    detail: z.string(),
    /** What the store said. */
    said: z.object({ text: z.string(), reason: codedReason }).nullable(),
    lines: z.array(z.object({ product: z.string(), quantity: z.number() })),
    /** The receiver as the shop named it; empty if it did not. */
    receiver: z.string(),
    memberId: z.string().nullable(),
    memberName: z.string().nullable(),
    amount: z.object({ value: z.string(), currency: z.string() }).nullable(),
    /** Paid in the shop's test mode: no money, and in no figures. */
    isTest: z.boolean(),
    orderId: z.string().nullable(),
    /** For that order. */
    left: z.array(shopOrderLeft),
  })
  .meta({ id: 'ShopOrder' });
export type ShopOrder = z.infer<typeof shopOrder>;

/**
 * The result of a test event.
 * - `received`: it has arrived, and its signature is right
 * - `refused`: the API answered with `code`
 * - `no-address`: no public address is set
 * - `unreachable`: the public address does not lead here; `check` says why
 * - `no-secret`: the shop has none yet
 * - `off`: the shop is switched off
 * - `senders-checked`: the shop takes events from Tebex's addresses alone, so no other sender can try it
 */
const shopTestOutcomes = [
  'received',
  'refused',
  'no-address',
  'unreachable',
  'no-secret',
  'off',
  'senders-checked',
] as const;
export type ShopTestOutcome = (typeof shopTestOutcomes)[number];

const shopTest = z
  .object({
    outcome: z.enum(shopTestOutcomes),
    code: z.string().nullable(),
    /** Null: it was not needed. */
    check: addressCheck.nullable(),
  })
  .meta({ id: 'ShopTest' });
export type ShopTest = z.infer<typeof shopTest>;

const changeOrConflict = [...changeProblems, 'NOT_FOUND', 'CONFLICT'] as const;
const ofOne = z.object({ id: recordId });

/** A shop's secret is worth everything that its events can give: changing it needs a step-up. */
const changing = { access: 'shops.write', proof: 'step-up', response: shop } as const;
const deciding = {
  access: 'shops.write',
  params: ofOne,
  response: shopOrder,
  problems: [...changeOrConflict, 'MEMBER_GONE'],
} as const;

export const shopsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/store/shops',
    summary: 'List external shops, with the store products that their products map to',
    access: 'shops.read',
    response: z.object({ rows: z.array(listedShop) }),
  }),
  sendTestEvent: endpoint({
    method: 'POST',
    path: '/api/store/shops/:id/test-event',
    summary:
      "Send a signed event without consequences to a shop's own webhook at the public address, as the shop would, and return the result",
    access: 'shops.write',
    params: ofOne,
    response: shopTest,
    problems: [...changeOrConflict, 'RATE_LIMITED', 'SECRET_UNREADABLE'],
  }),
  create: endpoint({
    ...changing,
    method: 'POST',
    path: '/api/store/shops',
    summary: 'Create an external shop',
    body: shopFields
      .extend({ kind: z.enum(shopKinds), secret: shopSecretText.optional() })
      .refine(({ kind, checksAddress }) => kind === 'tebex' || !checksAddress, {
        path: ['checksAddress'],
        error: addressFault,
      }),
    problems: changeOrConflict,
  }),
  change: endpoint({
    ...changing,
    method: 'PATCH',
    path: '/api/store/shops/:id',
    summary: 'Change an external shop',
    params: ofOne,
    body: shopFields.extend({ version: rowVersion }),
    problems: changeOrConflict,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/store/shops/:id',
    summary: 'Delete an external shop that has no orders',
    access: 'shops.write',
    proof: 'step-up',
    params: ofOne,
    response: z.object({}),
    problems: changeOrConflict,
  }),
  setProducts: endpoint({
    ...changing,
    method: 'PUT',
    path: '/api/store/shops/:id/products',
    summary: "Map an external shop's products to store products; orders waiting for the mapping continue",
    params: ofOne,
    body: z.strictObject({
      version: rowVersion,
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
    problems: changeOrConflict,
  }),
  addSecret: endpoint({
    ...changing,
    method: 'POST',
    path: '/api/store/shops/:id/secrets',
    summary: "Add a secret that proves an external shop's events, alongside its existing ones",
    params: ofOne,
    body: z.strictObject({ secret: shopSecretText }),
    problems: changeOrConflict,
  }),
  removeSecret: endpoint({
    ...changing,
    method: 'POST',
    path: '/api/store/shops/:id/secrets/:secretId/remove',
    summary: 'Delete a secret of an external shop',
    params: ofOne.extend({ secretId: recordId }),
    body: z.strictObject({}),
    problems: changeOrConflict,
  }),
  orders: endpoint({
    method: 'GET',
    path: '/api/store/shop-orders',
    summary: 'List external orders, newest first',
    access: 'shops.read',
    query: pageQuery.extend({
      shopId: recordId.optional(),
      state: z.enum(shopOrderStates).optional(),
    }),
    response: pageOf(shopOrder),
  }),
  assign: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/receiver',
    summary: 'Assign an external order to a member',
    body: z.strictObject({ version: rowVersion, memberId }),
  }),
  give: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/give',
    summary: 'Deliver an external order despite its reason: what is left of it, or again',
    body: z.strictObject({ version: rowVersion }),
  }),
  retry: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/retry',
    summary: 'Check an external order again, including a dismissed one',
    body: z.strictObject({ version: rowVersion }),
  }),
  dismiss: endpoint({
    ...deciding,
    method: 'POST',
    path: '/api/store/shop-orders/:id/dismiss',
    summary:
      'Dismiss an external order: nothing more is given or removed for this reason, and what it left in the game is settled',
    body: z.strictObject({ version: rowVersion }),
  }),
} as const;
