import type { Product } from '#contracts/store/store.ts';
import type { Tone } from '../../kit/design/state-label.tsx';

type SaleState =
  | 'selling'
  | 'archived'
  | 'held'
  | 'off'
  | 'soon'
  | 'over'
  | 'sold-out'
  | 'untested'
  | 'unapproved'
  | 'other';

export const saleTones = {
  selling: 'ok',
  archived: 'idle',
  held: 'bad',
  off: 'idle',
  soon: 'idle',
  over: 'idle',
  'sold-out': 'warn',
  untested: 'warn',
  unapproved: 'warn',
  other: 'warn',
} as const satisfies Record<SaleState, Tone>;

type SaleFacts = Pick<
  Product,
  'notForSale' | 'archivedAt' | 'heldAt' | 'isEnabled' | 'limits' | 'stock' | 'notes'
>;

/** Why a product cannot be bought. Only the API decides whether it can. */
export const saleStateOf = (product: SaleFacts, nowMs: number): SaleState => {
  const { limits, stock, notes } = product;
  if (product.notForSale === null) return 'selling';
  if (product.archivedAt !== null) return 'archived';
  if (product.heldAt !== null) return 'held';
  if (!product.isEnabled) return 'off';
  if (limits.saleFrom !== undefined && Date.parse(limits.saleFrom) > nowMs) return 'soon';
  if (limits.saleUntil !== undefined && Date.parse(limits.saleUntil) <= nowMs) return 'over';
  if (stock === 0) return 'sold-out';
  if (notes.some(({ kind }) => kind === 'unapproved' || kind === 'approval-ended')) return 'unapproved';
  return notes.some(({ kind }) => kind === 'unconfirmed-item') ? 'untested' : 'other';
};
