import * as z from 'zod';
import { discordId } from '../discord/discord-application.ts';
import { codedReason } from '../kernel/reasons.ts';
import { displayName, recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';

/** Points are whole numbers; a sum of them fits a JavaScript number exactly. */
export const mostPoints = 1_000_000_000;
export const mostStock = 1_000_000_000;
export const points = z.int().min(0).max(mostPoints);
export const positivePoints = points.min(1);

const oneLine = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** What a line gives for a limited time. */
export const lasts = z.strictObject({
  /** Identifies it, the same in every product that gives it, such as `rank:vip`. */
  key: z
    .string()
    .trim()
    .min(1)
    .max(80)
    .regex(/^[a-z0-9][a-z0-9:._-]*$/, 'must be small letters, digits, and : . _ -'),
  seconds: z
    .int()
    .min(60)
    .max(3660 * 86_400),
  /** Bought again, it adds its time to the remaining time; otherwise its time starts then, and the later end counts. */
  extends: z.boolean().default(true),
});
export type Lasts = z.output<typeof lasts>;

/** An item for its receiver; more than the game gives in one go becomes several deliveries. */
export const itemLine = z.strictObject({
  kind: z.literal('item'),
  /** In the form of the game's give command: an id, a number or a blueprint. */
  item: z.string().trim().min(1).max(1000).regex(oneLine, 'must be one line'),
  quantity: z.int().min(1).max(100_000),
  /** Only for games whose items have a quality. */
  quality: z.int().min(0).max(100).optional(),
  /** Given again on every day in the community's time zone while it lasts. */
  lasts: lasts.extend({ everyDay: z.literal(true) }).optional(),
});

/** Placeholders of a template, written `{name}`; the game's adapter escapes each value. */
export const placeholders = [
  'player',
  'platformId',
  'handle',
  'survivorNumber',
  'quantity',
  'orderId',
] as const;
export type Placeholder = (typeof placeholders)[number];

const template = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .regex(oneLine, 'must be one line')
  .refine(
    (text) =>
      [...text.matchAll(/\{([^{}]*)\}/g)].every(([, name]) => placeholders.some((one) => one === name)),
    `knows only the placeholders ${placeholders.map((name) => `{${name}}`).join(', ')}`,
  );
/** `*` matches any text; no regular expressions. */
const wildcards = z.string().trim().min(1).max(300).regex(oneLine, 'must be one line');

/** A command for the game. */
const commandLine = z.strictObject({
  kind: z.literal('command'),
  command: template,
  /** Replies that prove success; without any, success is `unconfirmed`. */
  success: z.array(wildcards).max(10).default([]),
  /** Replies that prove failure. */
  failure: z.array(wildcards).max(10).default([]),
  /** Whether the player must be on the server. */
  needsPlayer: z.boolean().default(true),
  /** Sent when the line is refunded, or at its end, to remove what the command gave. */
  counterCommand: template.optional(),
  /** Needs a counter-command. */
  lasts: lasts
    .extend({
      /** Replies to the counter-command that prove the removal; without any, every answer counts. */
      taken: z.array(wildcards).max(10).default([]),
    })
    .optional(),
});

/** A role on the Discord server, until it ends or is refunded. */
const roleLine = z.strictObject({
  kind: z.literal('role'),
  roleId: discordId,
  /** The name when it was chosen. */
  roleName: z.string().trim().min(1).max(100).regex(oneLine, 'must be one line'),
  lasts: lasts.optional(),
});

/** Another product, contained in this one: a bundle has no other lines. */
const partLine = z.strictObject({
  kind: z.literal('product'),
  productId: recordId,
  /** Pieces of it in one bundle. */
  quantity: z.int().min(1).max(1000),
});

/** Lines that give something themselves, rather than containing a product. */
const givenLine = z.discriminatedUnion('kind', [itemLine, commandLine, roleLine]);
export type GivenLine = z.output<typeof givenLine>;
const productLine = z.discriminatedUnion('kind', [itemLine, commandLine, roleLine, partLine]);
export type ProductLine = z.output<typeof productLine>;

/** A product's line in one delivery, with this delivery's quantity and the line's position. */
export const deliveryLine = z.discriminatedUnion('kind', [
  itemLine.extend({ position: z.int().nonnegative() }),
  commandLine.extend({ position: z.int().nonnegative(), quantity: z.int().min(1) }),
  roleLine.extend({ position: z.int().nonnegative(), quantity: z.int().min(1) }),
]);
export type DeliveryLine = z.output<typeof deliveryLine>;

const time = z.iso.datetime();

/** All optional; an absent value means no limit. Gifts count for the receiver. */
const productLimits = z.strictObject({
  /** Total pieces per member. */
  perMember: z.int().min(1).max(1_000_000).optional(),
  /** Pieces per member within a number of days. */
  perPeriod: z
    .strictObject({ count: z.int().min(1).max(1_000_000), days: z.int().min(1).max(365) })
    .optional(),
  /** Least time between two orders of one member. */
  cooldownSeconds: z
    .int()
    .min(1)
    .max(366 * 86_400)
    .optional(),
  saleFrom: time.optional(),
  saleUntil: time.optional(),
});
export type ProductLimits = z.output<typeof productLimits>;

/** A price for a limited time, from `from` up to but not including `until`. */
const scheduledPrice = z.strictObject({
  from: time,
  /** Null: without an end. */
  until: time.nullable(),
  price: points,
});
export type ScheduledPrice = z.output<typeof scheduledPrice>;

/** What a new season does with a product: `regrant` gives members again what they had of it. */
export const wipeActs = ['nothing', 'regrant'] as const;
/**
 * What players type in the chat of a game to buy the product; never only a number, since numbers choose from a list or
 * answer a question.
 */
export const longestShortCode = 12;
const shortCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9]{1,11}$/, 'must be a letter and then letters and digits, 12 at most');

/** After all products of a category that have a position. */
export const lastPosition = 1_000_000;

/** The editable part of a product; each save creates a version. */
export const productDraft = z.strictObject({
  name: displayName,
  description: z
    .string()
    .trim()
    .max(2000)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'must have no control characters')
    .default(''),
  category: z
    .string()
    .trim()
    .max(80)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control characters')
    .default(''),
  /** The price when the schedule has none. */
  price: points,
  /** No two may overlap. */
  priceSchedule: z.array(scheduledPrice).max(100).default([]),
  game: gameId,
  /** Both empty: every server of the game. Empty for a bundle: each part has its own. */
  clusterIds: z.array(recordId).max(100).default([]),
  serverIds: z.array(recordId).max(500).default([]),
  lines: z.array(productLine).min(1).max(20),
  limits: productLimits.prefault({}),
  /** Pieces left; null: any number. */
  stock: z.int().min(0).max(mostStock).nullable().default(null),
  isEnabled: z.boolean().default(false),
  onWipe: z.enum(wipeActs).default('nothing'),
  /** The most pieces that a new season gives a member again; null: all. */
  regrantMost: z.int().min(1).max(1000).nullable().default(null),
  /** Null: the current one, or one derived from its name. */
  shortCode: shortCode.nullable().default(null),
});
export type ProductDraft = z.output<typeof productDraft>;

/** Why a line cannot be sold yet, or a warning about it. */
const lineNote = z.object({
  position: z.int().nonnegative(),
  /**
   * `unknown-item`: in no list. `unconfirmed-item`: ARK never says that an item is missing, so a person has to see it
   * once. `stopped-part`: its sale stopped automatically. `invalid`: the game has no such command, or a bundle cannot
   * contain this product. `unapproved`: no one has approved its command. `approval-ended`: who approved it no longer may.
   */
  kind: z.enum([
    'unknown-item',
    'unconfirmed-item',
    'stopped-part',
    'invalid',
    'unapproved',
    'approval-ended',
  ]),
  detail: z.string(),
  /** The code of `detail`, if it is one of the API's sentences. */
  reason: codedReason,
});

export const product = productDraft
  .extend({
    id: z.string(),
    /** Incremented by every change. */
    version: z.int(),
    /** The current price. */
    currentPrice: points,
    /** When the price changes next; null: never. */
    priceUntil: time.nullable(),
    createdAt: time,
    archivedAt: time.nullable(),
    /** Why the sale stopped automatically until a person checks it. */
    heldReason: z.string().nullable(),
    /** The code of `heldReason`, if it is one of the API's sentences. */
    heldWhy: codedReason,
    heldAt: time.nullable(),
    picture: z
      .object({ mediaType: z.string(), width: z.int(), height: z.int(), sha256: z.string() })
      .nullable(),
    /** Who answers for its commands; null: it has none. */
    approval: z
      .object({
        /** `ended`: who approved them may no longer give commands on all its servers. `missing`: no one has. */
        state: z.enum(['approved', 'ended', 'missing']),
        /** Null if no one did, or if the product is older than approvals. */
        by: z.string().nullable(),
        at: time.nullable(),
      })
      .nullable(),
    notes: z.array(lineNote),
    /** Why it cannot be bought now; null if it can. */
    notForSale: z.string().nullable(),
    /** The code of `notForSale`, if it has one. */
    notForSaleWhy: codedReason,
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof product>;

export const storeItem = z
  .object({
    id: z.string(),
    name: z.string(),
    /** `shipped`: from this version's lists; `own`: added by staff. */
    source: z.enum(['shipped', 'own']),
    isConfirmed: z.boolean(),
  })
  .meta({ id: 'StoreItem' });
