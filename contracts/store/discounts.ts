import * as z from 'zod';
import { discordId } from '../discord/discord-application.ts';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { backwards, isForwards } from '../kernel/validity.ts';
import { displayName, recordId } from '../servers/clusters.ts';
import { positivePoints, productDraft } from './store.ts';

/** Short enough for the id of a button in Discord. Compared ignoring case. */
export const discountCode = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}_-]{3,24}$/u, 'must be 3 to 24 letters, digits, hyphens or underscores')
  // Discord counts in UTF-16 units.
  .refine((code) => code.length <= 24, 'must be 3 to 24 letters, digits, hyphens or underscores');

const time = z.iso.datetime();
const uses = z.int().min(1).max(1_000_000_000);

/** Subtracted from the price of each piece. */
const discountOff = z.discriminatedUnion('kind', [
  /** The remaining price is rounded down; below 100 percent, a piece that costs points still costs at least one. */
  z.strictObject({ kind: z.literal('percent'), percent: z.int().min(1).max(100) }),
  /** The price of a piece never falls below zero. */
  z.strictObject({ kind: z.literal('points'), points: positivePoints }),
]);
export type DiscountOff = z.output<typeof discountOff>;

const fields = z.strictObject({
  name: displayName,
  off: discountOff,
  /** With `categories`: a product matches if it is in either. Both empty: every product. */
  productIds: z.array(recordId).max(500).default([]),
  categories: z.array(productDraft.shape.category.unwrap()).max(100).default([]),
  /** The payer has at least one of these roles on the Discord server. Empty: everyone. */
  roleIds: z.array(discordId).max(250).default([]),
  /** Null: it applies automatically. */
  code: discountCode.nullable().default(null),
  /** Orders in total, without those that were undone completely; null: any number. */
  mostUses: uses.nullable().default(null),
  mostPerMember: uses.nullable().default(null),
  validFrom: time.nullable().default(null),
  validUntil: time.nullable().default(null),
  isEnabled: z.boolean().default(true),
});

export const discountDraft = fields.refine(isForwards, backwards);
export type DiscountDraft = z.output<typeof discountDraft>;

const discount = fields
  .extend({
    id: z.string(),
    /** Incremented by every change. */
    version: z.int(),
    createdAt: time,
    /** Callers without the permission `store.write` get null instead of the code. */
    hasCode: z.boolean(),
    /** Orders that use it now. */
    uses: z.int().nonnegative(),
  })
  .meta({ id: 'Discount' });
export type Discount = z.infer<typeof discount>;

const ofDiscount = z.object({ id: recordId });

export const discountsHttp = {
  list: endpoint({
    method: 'GET',
    path: '/api/store/discounts',
    summary: 'List discounts, newest first',
    access: 'store.read',
    query: pageQuery,
    response: pageOf(discount),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/store/discounts/:id',
    summary: 'Return a discount',
    access: 'store.read',
    params: ofDiscount,
    response: discount,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/store/discounts',
    summary: 'Create a discount',
    access: 'store.write',
    body: discountDraft,
    response: discount,
    problems: [...changeProblems, 'NAME_TAKEN'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/store/discounts/:id',
    summary: 'Change a discount; existing orders are unaffected',
    access: 'store.write',
    params: ofDiscount,
    body: fields.extend({ version: rowVersion }).refine(isForwards, backwards),
    response: discount,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT', 'NAME_TAKEN'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/store/discounts/:id',
    summary: 'Delete a discount; its code becomes available again, and existing orders are unaffected',
    access: 'store.write',
    params: ofDiscount,
    response: z.object({}),
  }),
} as const;
