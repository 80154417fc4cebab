import type { Product } from '#contracts/store/store.ts';
import { signedInPerson } from '../../kit/access/signed-in-person.ts';
import { createKeptDrafts } from '../../kit/forms/kept-drafts.ts';
import type { ProductFields } from './product-draft.ts';

export interface ProductEdit {
  /** The product that the edit started from; null for a new one. */
  readonly base: Product | null;
  readonly fields: ProductFields;
  /** The version that it replaces. */
  readonly version: number;
}

/** The key of a new product. */
export const newProduct = 'new';

const edits = createKeptDrafts<ProductEdit>();

/** Unsaved edits of products, which outlive the page. */
export const presentEdit = (productId: string): ProductEdit | null =>
  edits.of(signedInPerson())[productId] ?? null;

export const keepEdit = (productId: string, edit: ProductEdit | null): void =>
  edits.keep(signedInPerson(), productId, edit);
