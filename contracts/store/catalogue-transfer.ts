import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { codedReason } from '../kernel/reasons.ts';
import { displayName, recordId } from '../servers/clusters.ts';
import { lastPosition, productDraft } from './store.ts';
import { mostPictureBytes } from './store-http.ts';

export const catalogueFormat = 'castellan-catalogue';
/** Incremented when the file format changes in a way that an older Castellan cannot read. */
export const catalogueVersion = 1;
/**
 * Enough for 90 of the largest pictures, or 600 of 80 KB. An import is held in memory several times: as bytes, text and
 * values. No export is larger, so every export can be imported.
 */
export const mostImportBytes = 64 * 1024 * 1024;
export const mostImportedProducts = 5000;
export const mostToldFaults = 100;

/** A product in the file, independent of the installation: servers by name, the picture embedded. */
export const transferredProduct = productDraft.omit({ clusterIds: true, serverIds: true }).extend({
  /** The product to change; if it is absent or not found, a new one is created. */
  id: recordId.optional(),
  clusters: z.array(displayName).max(100).default([]),
  servers: z.array(displayName).max(500).default([]),
  /** Its position in the category. */
  position: z.int().min(0).max(lastPosition).default(lastPosition),
  /** PNG, JPEG or WebP as base64; null removes the picture, absence keeps the current one. */
  picture: z
    .base64()
    .max(mostPictureBytes * 2)
    .nullable()
    .optional(),
});
export type TransferredProduct = z.output<typeof transferredProduct>;

const catalogueFault = z.object({
  /** In the file, counted from 1. */
  line: z.int().positive(),
  /** For example `products.3.price`; empty for the whole file. */
  path: z.string(),
  message: z.string(),
  /** The code of `message`, if it is one of the API's sentences. */
  reason: codedReason,
});
export type CatalogueFault = z.infer<typeof catalogueFault>;

const catalogueImport = z
  .object({
    created: z.int().nonnegative(),
    changed: z.int().nonnegative(),
    unchanged: z.int().nonnegative(),
    /** The first faults, in the file's order. With any fault, nothing is imported. */
    faults: z.array(catalogueFault),
    faultsTotal: z.int().nonnegative(),
  })
  .meta({ id: 'CatalogueImport' });
export type CatalogueImport = z.infer<typeof catalogueImport>;

export const catalogueTransferHttp = {
  export: endpoint({
    method: 'GET',
    path: '/api/store/export',
    summary: 'Export all products except archived ones as a JSON file; refused if an import would reject it',
    // The file contains commands in full, and they can hold passwords.
    access: 'store.write',
    query: z.object({ pictures: z.stringbool().default(false) }),
    response: z.string(),
    contentType: 'application/json; charset=utf-8',
    download: 'castellan-catalogue.json',
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/store/import',
    summary:
      'Import a JSON file of products, all or none; with dryRun, nothing changes and errors are returned in the response',
    access: 'store.write',
    proof: 'step-up',
    query: z.object({ dryRun: z.stringbool().default(false) }),
    rawBody: true,
    bodyType: 'application/json',
    bodyBytes: mostImportBytes,
    response: catalogueImport,
  }),
} as const;
