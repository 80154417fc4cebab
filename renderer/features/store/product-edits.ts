import type { Product } from '#contracts/store.ts';
import { signedInPerson } from '../../access/signed-in-person.ts';
import { createKeptDrafts } from '../../forms/kept-drafts.ts';
import type { ProductFields } from './product-draft.ts';

export interface ProductEdit {
  /** What the typing began with; null: a new product. */
  readonly base: Product | null;
  readonly fields: ProductFields;
  /** What it is saved over. */
  readonly version: number;
}

/** Of the product that is not made yet. */
export const newProduct = 'new';

const edits = createKeptDrafts<ProductEdit>();

/** What is typed of a product and not saved; it outlives the page. */
export const presentEdit = (productId: string): ProductEdit | null =>
  edits.of(signedInPerson())[productId] ?? null;

export const keepEdit = (productId: string, edit: ProductEdit | null): void =>
  edits.keep(signedInPerson(), productId, edit);
