import * as z from 'zod';
import { permissionSchema } from '../identity/permissions.ts';
import { endpoint, readProblems } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { ledgerEntry } from '../people/members.ts';
import { recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';
import { deliveryStates, deliveryWaits } from '../store/deliveries.ts';
import { orderPreview, orderRefusal, orderRefusals } from '../store/orders.ts';
import { points } from '../store/store.ts';
import { discordId } from './discord-application.ts';

/** Together with INTERNAL_API_SECRET: the person in Discord for whom the bot asks. */
export const discordUserHeader = 'Castellan-Discord-User';

/** The most roles on a Discord server, from Discord's reference. */
const mostRoles = 250;

const discordUser = z.strictObject({
  id: discordId,
  /** The name shown on the Discord server; for audit and history. */
  name: z.string().max(100),
  /** The roles at the time of the act, according to Discord. */
  roleIds: z.array(discordId).max(mostRoles),
});
export type DiscordUser = z.infer<typeof discordUser>;

/** Headers hold printable ASCII only. */
export const encodeDiscordUser = (user: DiscordUser): string =>
  encodeURIComponent(JSON.stringify({ ...user, name: user.name.toWellFormed() }));

/** Null if the header is invalid. */
export const decodeDiscordUser = (header: string): DiscordUser | null => {
  try {
    return discordUser.safeParse(JSON.parse(decodeURIComponent(header))).data ?? null;
  } catch {
    return null;
  }
};

/** A product as buyers see it, without the commands that give it. */
const shopProduct = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.string(),
    /** The current price. */
    price: points,
    /** The price when the schedule has no other one. */
    basePrice: points,
    /** When the price changes; null: never. */
    priceUntil: z.iso.datetime().nullable(),
    game: gameId,
    /** Null: any number. */
    stock: z.int().nullable(),
    /** The picture's SHA-256; null: it has none. */
    picture: z.string().nullable(),
  })
  .meta({ id: 'ShopProduct' });
export type ShopProduct = z.infer<typeof shopProduct>;

const ownDelivery = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  productName: z.string(),
  quantity: z.int(),
  state: z.enum(deliveryStates),
  waitsFor: z.enum(deliveryWaits).nullable(),
  /** Points were returned. Free orders, and orders paid at an external shop, return none. */
  isRefunded: z.boolean(),
});
export type OwnDelivery = z.infer<typeof ownDelivery>;

const purchase = z.strictObject({
  productId: recordId,
  quantity: z.int().min(1).max(1000),
  /** The Discord account that receives it; null: the buyer's own. */
  receiverId: discordId.nullable(),
  discountCode: z.string().trim().min(1).max(100).nullable().default(null),
});

const ofLinked = [...readProblems, 'DISCORD_NOT_LINKED', 'MEMBER_GONE'] as const;

/**
 * What people in Discord do for themselves through the bot. Everything else uses the endpoints for admins, limited to
 * the person's permissions.
 */
export const discordUsersHttp = {
  me: endpoint({
    method: 'GET',
    path: '/api/internal/discord/me',
    summary: 'Return the links and permissions of a Discord account',
    access: 'discord-user',
    response: z.object({
      /** Null: no player is linked. */
      member: z
        .object({
          id: z.string(),
          name: z.string(),
          balance: z.int().nonnegative(),
          players: z.array(z.object({ name: z.string(), game: gameId })),
        })
        .nullable(),
      adminName: z.string().nullable(),
      permissions: z.array(permissionSchema),
    }),
  }),
  linkCode: endpoint({
    method: 'POST',
    path: '/api/internal/discord/link-code',
    summary: 'Create a code, valid once and for ten minutes, that a player types in the game as `!link CODE`',
    access: 'discord-user',
    /** `typed`: what to type before the code in the game, such as `!link`. */
    response: z.object({ code: z.string(), expiresAt: z.iso.datetime(), typed: z.string() }),
    problems: [...readProblems, 'MEMBER_GONE', 'RATE_LIMITED'],
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/internal/discord/link',
    summary: "Redeem a code that was whispered in a game or shown on an admin's profile page",
    access: 'discord-user',
    body: z.strictObject({
      code: z.string().trim().min(1).max(40),
      /** The person was told whose code it is. */
      isConfirmed: z.boolean().default(false),
    }),
    response: z.object({
      /** Null: nothing yet. The account has players or points that would be merged into the named member: ask the person first. */
      linked: z.enum(['member', 'admin']).nullable(),
      name: z.string(),
    }),
    problems: [...readProblems, 'LINK_CODE_INVALID', 'MERGE_REFUSED', 'MEMBER_GONE', 'RATE_LIMITED'],
  }),
  unlink: endpoint({
    method: 'POST',
    path: '/api/internal/discord/unlink',
    summary: 'Unlink the Discord account from its players and its admin; players and points stay together',
    access: 'discord-user',
    response: z.object({ unlinked: z.array(z.enum(['member', 'admin'])) }),
    problems: readProblems,
  }),
  ledger: endpoint({
    method: 'GET',
    path: '/api/internal/discord/ledger',
    summary: "List every change of the person's own wallet, newest first",
    access: 'discord-user',
    query: pageQuery,
    response: pageOf(ledgerEntry),
    problems: [...ofLinked, 'NOT_FOUND'],
  }),
  products: endpoint({
    method: 'GET',
    path: '/api/internal/discord/products',
    summary: 'List products for sale, by category and name',
    access: 'discord-user',
    query: z.object({
      /** Part of the name. */
      text: z.string().trim().max(100).default(''),
      offset: z.coerce.number().int().min(0).max(100_000).default(0),
      limit: z.coerce.number().int().min(1).max(25).default(25),
    }),
    response: z.object({ rows: z.array(shopProduct), total: z.int() }),
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/internal/discord/products/:id/picture',
    summary: 'Return the picture of a product for sale, as base64',
    access: 'discord-user',
    params: z.object({ id: recordId }),
    response: z.object({ mediaType: z.string(), picture: z.base64() }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/internal/discord/orders/preview',
    summary: 'Preview what an order would cost and what would prevent it; changes nothing',
    access: 'discord-user',
    body: purchase,
    response: z.object({
      product: shopProduct.nullable(),
      receiverName: z.string(),
      total: z.int().nonnegative(),
      balance: z.int().nonnegative(),
      discount: orderPreview.shape.discount,
      refusals: z.array(orderRefusal),
    }),
    problems: [...ofLinked, 'RECEIVER_NOT_LINKED', 'NOT_FOUND', 'RATE_LIMITED'],
  }),
  order: endpoint({
    method: 'POST',
    path: '/api/internal/discord/orders',
    summary:
      "Place an order with the person's own points, at most once per Idempotency-Key, which is required",
    access: 'discord-user',
    idempotent: true,
    body: purchase.extend({ expectedTotal: z.int().nonnegative() }),
    response: z.object({ orderId: z.string(), total: z.int(), balance: z.int().nonnegative() }),
    problems: [
      ...ofLinked,
      'RECEIVER_NOT_LINKED',
      ...orderRefusals,
      'IDEMPOTENCY_MISMATCH',
      'IDEMPOTENCY_KEY_INVALID',
    ],
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/internal/discord/deliveries',
    summary: "List the deliveries to the person's own players, newest first",
    access: 'discord-user',
    query: pageQuery,
    response: pageOf(ownDelivery),
    problems: ofLinked,
  }),
} as const;
