import { reasons } from '#contracts/kernel/reasons.ts';
import type { Product } from '#contracts/store/store.ts';
import type { StoredProduct } from './product-rows.ts';

type Note = Product['notes'][number];

const doubts: ReadonlySet<Note['kind']> = new Set(['unconfirmed-item', 'stopped-part', 'approval-ended']);

/** Why even a test order is refused; null if it is not. */
export const whyNotGivable = (
  { archivedAt, hasServer, lines }: Pick<StoredProduct, 'archivedAt' | 'hasServer' | 'lines'>,
  notes: readonly Note[],
): string | null => {
  if (archivedAt) return reasons.archived;
  const invalid = notes.find(({ kind }) => kind === 'invalid' || kind === 'unapproved');
  if (invalid) return reasons['line-invalid'](invalid.position + 1, invalid.detail);
  // The notes cover the products in a bundle.
  const needsServer = lines.some(({ kind }) => kind === 'item' || kind === 'command');
  return hasServer || !needsServer ? null : reasons['no-server'];
};

/** Why it cannot be bought at this moment; null if it can. */
export const whyNotForSale = (product: StoredProduct, notes: readonly Note[], now: Date): string | null => {
  const { isEnabled, heldReason, heldAt, limits } = product;
  if (product.archivedAt) return whyNotGivable(product, notes);
  if (!isEnabled) return reasons.disabled;
  if (heldAt) return reasons['stopped-selling'](heldReason ?? reasons['delivery-failed']);
  if (limits.saleFrom !== undefined && now < new Date(limits.saleFrom))
    return reasons['sale-not-begun'](limits.saleFrom);
  if (limits.saleUntil !== undefined && now >= new Date(limits.saleUntil))
    return reasons['sale-over'](limits.saleUntil);
  const doubt = notes.find(({ kind }) => doubts.has(kind));
  if (doubt) return reasons['line-fault'](doubt.position + 1, doubt.detail);
  return whyNotGivable(product, notes);
};
