import * as z from 'zod';
import { displayName, recordId } from './clusters.ts';
import { endpoint } from './http.ts';
import { codedReason } from './reasons.ts';
import { lastPosition, productDraft } from './store.ts';
import { mostPictureBytes } from './store-http.ts';

export const catalogueFormat = 'castellan-catalogue';
/** Raised when a file changes in a way that an older Castellan cannot read. */
export const catalogueVersion = 1;
/**
 * 90 of the largest pictures, or 600 of 80 KB. An import is held in memory several times over: as bytes, text and values.
 * No export is larger, so that what was exported can be imported.
 */
export const mostImportBytes = 64 * 1024 * 1024;
export const mostImportedProducts = 5000;
export const mostToldFaults = 100;

/** A product of a file, as it is on any installation: its servers by name, its picture within. */
export const transferredProduct = productDraft.omit({ clusterIds: true, serverIds: true }).extend({
  /** The product that is changed; without it, or where there is none, one is made. */
  id: recordId.optional(),
  clusters: z.array(displayName).max(100).default([]),
  servers: z.array(displayName).max(500).default([]),
  /** The place in its category. */
  position: z.int().min(0).max(lastPosition).default(lastPosition),
  /** PNG, JPEG or WebP as base64; null removes it, absence keeps the one there is. */
  picture: z
    .base64()
    .max(mostPictureBytes * 2)
    .nullable()
    .optional(),
});
export type TransferredProduct = z.output<typeof transferredProduct>;

export const catalogueFault = z.object({
  /** Of the file, from 1. */
  line: z.int().positive(),
  /** Such as `products.3.price`; empty for the file as a whole. */
  path: z.string(),
  message: z.string(),
  /** The code of `message`, if it is one of the API's sentences. */
  reason: codedReason,
});
export type CatalogueFault = z.infer<typeof catalogueFault>;

export const catalogueImport = z
  .object({
    created: z.int().nonnegative(),
    changed: z.int().nonnegative(),
    unchanged: z.int().nonnegative(),
    /** The first of them, in the order of the file. With a fault nothing is imported. */
    faults: z.array(catalogueFault),
    faultsTotal: z.int().nonnegative(),
  })
  .meta({ id: 'CatalogueImport' });
export type CatalogueImport = z.infer<typeof catalogueImport>;

export const catalogueTransferHttp = {
  export: endpoint({
    method: 'GET',
    path: '/api/store/export',
    summary: 'Export all products in use as a JSON file; refused where an import would not take it',
    // Commands can hold passwords, and stand in the file whole.
    access: 'store.write',
    query: z.object({ pictures: z.stringbool().default(false) }),
    response: z.string(),
    contentType: 'application/json; charset=utf-8',
    download: 'castellan-catalogue.json',
    problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'],
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/store/import',
    summary:
      'Import a JSON file of products, all or none; with dryRun nothing is changed, and faults are told as an answer',
    access: 'store.write',
    proof: 'step-up',
    query: z.object({ dryRun: z.stringbool().default(false) }),
    rawBody: true,
    bodyType: 'application/json',
    bodyBytes: mostImportBytes,
    response: catalogueImport,
    problems: [
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'CROSS_ORIGIN',
      'PERSON_REQUIRED',
      'STEP_UP_REQUIRED',
      'DATABASE_UNAVAILABLE',
    ],
  }),
} as const;
