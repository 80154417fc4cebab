import * as z from 'zod';
import { changeProblems, endpoint } from '../kernel/http.ts';
import { pageOf, pageQuery } from '../kernel/paging.ts';
import { rowVersion } from '../kernel/row-version.ts';
import { displayName, recordId } from '../servers/clusters.ts';
import { gameId } from '../servers/games.ts';
import { itemLine, product, productDraft, storeItem, wipeActs } from './store.ts';

/** New commands are approved by the person who writes them. */
const approving = ['PERSON_REQUIRED', 'STEP_UP_REQUIRED'] as const;
const commandRule =
  'commands that are new, or run on more servers, need console.write on all its servers and a person who was just confirmed';
const ofProduct = z.object({ id: recordId });

/** A picture as a data URL; the API checks its bytes. At most 512 KiB and 2,048 pixels per side. */
export const mostPictureBytes = 512 * 1024;
export const pictureLimits = { bytes: mostPictureBytes, pixels: 2048 } as const;

export const storeHttp = {
  products: endpoint({
    method: 'GET',
    path: '/api/store/products',
    summary: 'List current or archived products, by category in its order',
    access: 'store.read',
    query: pageQuery.extend({ archived: z.stringbool().default(false) }),
    response: pageOf(product),
  }),
  read: endpoint({
    method: 'GET',
    path: '/api/store/products/:id',
    summary: 'Return a product',
    access: 'store.read',
    params: ofProduct,
    response: product,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/store/products',
    summary: `Create a product; ${commandRule}`,
    access: 'store.write',
    body: productDraft,
    response: product,
    problems: [...changeProblems, ...approving, 'PRODUCT_INVALID'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/api/store/products/:id',
    summary: `Change a product; existing orders keep what they bought; ${commandRule}`,
    access: 'store.write',
    params: ofProduct,
    body: productDraft.extend({
      version: rowVersion,
      /** The stock that the change is based on, so that pieces sold since are subtracted. Without it, `stock` is the number left now. */
      stockWas: productDraft.shape.stock.unwrap().optional(),
    }),
    response: product,
    problems: [...changeProblems, ...approving, 'NOT_FOUND', 'CONFLICT', 'PRODUCT_INVALID'],
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/store/products/:id/duplicate',
    summary: `Duplicate a product, switched off; ${commandRule}`,
    access: 'store.write',
    params: ofProduct,
    /** The name of the copy; “… (copy)” by default. */
    body: z.strictObject({ name: displayName.optional() }),
    response: product,
    problems: [...changeProblems, ...approving, 'NOT_FOUND', 'PRODUCT_INVALID'],
  }),
  order: endpoint({
    method: 'PUT',
    path: '/api/store/order',
    summary:
      'Set the order of the products in a category; the list must contain all of them except archived ones',
    access: 'store.write',
    body: z.strictObject({
      category: productDraft.shape.category,
      ids: z.array(recordId).min(1).max(10_000),
    }),
    bodyBytes: 1024 * 1024,
    response: z.object({}),
    problems: [...changeProblems, 'CONFLICT'],
  }),
  onWipe: endpoint({
    method: 'PUT',
    path: '/api/store/on-wipe',
    summary: 'Set what a season after a wipe does with several products; orders keep what they bought',
    access: 'store.write',
    body: z.strictObject({
      ids: z.array(recordId).min(1).max(10_000),
      onWipe: z.enum(wipeActs),
    }),
    bodyBytes: 1024 * 1024,
    response: z.object({}),
    problems: [...changeProblems, 'NOT_FOUND'],
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/store/products/:id/archive',
    summary: 'Archive a product, or restore it from the archive',
    access: 'store.write',
    params: ofProduct,
    body: z.strictObject({ version: rowVersion, archived: z.boolean() }),
    response: product,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  release: endpoint({
    method: 'POST',
    path: '/api/store/products/:id/release',
    summary: 'Resume sales of a product whose sales stopped automatically',
    access: 'store.write',
    params: ofProduct,
    body: z.strictObject({ version: rowVersion }),
    response: product,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/store/products/:id/approval',
    summary: 'Approve the commands of a product; this needs console.write on all its servers',
    access: 'store.write',
    proof: 'step-up',
    params: ofProduct,
    body: z.strictObject({ version: rowVersion }),
    response: product,
    problems: [...changeProblems, ...approving, 'NOT_FOUND', 'CONFLICT'],
  }),
  setPicture: endpoint({
    method: 'PUT',
    path: '/api/store/products/:id/picture',
    summary: 'Set the picture of a product (PNG, JPEG or WebP), or remove it',
    access: 'store.write',
    params: ofProduct,
    body: z.strictObject({
      version: rowVersion,
      picture: z
        .base64()
        .max(mostPictureBytes * 2)
        .nullable(),
    }),
    bodyBytes: mostPictureBytes * 2,
    response: product,
    problems: [...changeProblems, 'NOT_FOUND', 'CONFLICT', 'PICTURE_INVALID'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/api/store/products/:id/picture',
    summary: 'Return the picture of a product, as base64',
    access: 'store.read',
    params: ofProduct,
    response: z.object({ mediaType: z.string(), picture: z.base64() }),
  }),
  items: endpoint({
    method: 'GET',
    path: '/api/store/items',
    summary: "List a game's known items; search by part of their ID or name",
    access: 'store.read',
    query: z.object({
      game: gameId,
      text: z.string().trim().max(100).default(''),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    response: z.object({ rows: z.array(storeItem), total: z.int() }),
  }),
  addItem: endpoint({
    method: 'POST',
    path: '/api/store/items',
    summary: "Add an item to a game's list, or rename it",
    access: 'store.write',
    body: z.strictObject({ game: gameId, id: itemLine.shape.item, name: displayName }),
    response: storeItem,
    problems: [...changeProblems, 'PRODUCT_INVALID'],
  }),
  removeItem: endpoint({
    method: 'POST',
    path: '/api/store/items/remove',
    summary: "Delete a custom item from a game's list",
    access: 'store.write',
    body: z.strictObject({ game: gameId, id: itemLine.shape.item }),
    response: z.object({}),
    problems: [...changeProblems, 'NOT_FOUND'],
  }),
  confirmItem: endpoint({
    method: 'POST',
    path: '/api/store/items/confirm',
    summary: 'Record whether the item of a test delivery was seen in the game',
    access: 'store.write',
    body: z.strictObject({ deliveryId: z.guid(), isSeen: z.boolean() }),
    response: z.object({ game: gameId, item: z.string(), isConfirmed: z.boolean() }),
    problems: [...changeProblems, 'NOT_FOUND'],
  }),
} as const;
