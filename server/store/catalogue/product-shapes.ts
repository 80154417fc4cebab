import { reasonOf } from '#contracts/kernel/reasons.ts';
import { mostStock, type Product, type ProductDraft } from '#contracts/store/store.ts';
import type { Game } from '#games/game.ts';
import type { ApprovalState } from './command-approval.ts';
import { whyNotForSale } from './not-for-sale.ts';
import { priceAt } from './price-schedule.ts';
import type { StoredProduct } from './product-rows.ts';

const longestName = 80;

/** @param name chosen by the caller, who knows the reader's language */
export const copyOf = (source: StoredProduct, name: string | undefined): ProductDraft => {
  const suffix = ' (copy)';
  return {
    name: name ?? `${[...source.name].slice(0, longestName - suffix.length).join('')}${suffix}`,
    description: source.description,
    category: source.category,
    price: source.basePrice,
    priceSchedule: [...source.priceSchedule],
    game: source.game,
    clusterIds: [...source.clusterIds],
    serverIds: [...source.serverIds],
    lines: [...source.lines],
    // Codes are unique: the copy gets one that is derived from its name.
    shortCode: null,
    limits: source.limits,
    stock: source.stock,
    isEnabled: false,
    onWipe: source.onWipe,
    regrantMost: source.regrantMost,
  };
};

/** What is stored next to the versions. */
export const saleColumns = ({ isEnabled, onWipe, regrantMost }: ProductDraft) => ({
  is_enabled: isEnabled,
  on_wipe: onWipe,
  regrant_most: regrantMost,
});

/** Keeps pieces sold since the form was opened. */
export const stockAfter = (
  now: number | null,
  wanted: number | null,
  was: number | null | undefined,
): number | null =>
  now === null || wanted === null || was === null || was === undefined
    ? wanted
    : Math.min(mostStock, Math.max(0, now + wanted - was));

export const toProduct = (
  product: StoredProduct,
  notes: Product['notes'],
  approval: ApprovalState | null,
  now: Date,
): Product => {
  const notForSale = whyNotForSale(product, notes, now);
  const { price, until } = priceAt(product.basePrice, product.priceSchedule, now);
  return {
    id: product.id,
    version: product.version,
    name: product.name,
    description: product.description,
    category: product.category,
    price: product.basePrice,
    priceSchedule: [...product.priceSchedule],
    currentPrice: price,
    priceUntil: until?.toISOString() ?? null,
    game: product.game,
    clusterIds: [...product.clusterIds],
    serverIds: [...product.serverIds],
    lines: [...product.lines],
    limits: product.limits,
    stock: product.stock,
    isEnabled: product.isEnabled,
    onWipe: product.onWipe,
    regrantMost: product.regrantMost,
    shortCode: product.shortCode,
    createdAt: product.createdAt.toISOString(),
    archivedAt: product.archivedAt?.toISOString() ?? null,
    heldReason: product.heldReason,
    heldWhy: reasonOf(product.heldReason),
    heldAt: product.heldAt?.toISOString() ?? null,
    picture: product.picture,
    approval: approval && {
      state: approval,
      by: product.approval?.name ?? null,
      at: product.approval?.at.toISOString() ?? null,
    },
    notes,
    notForSale,
    notForSaleWhy: reasonOf(notForSale),
  };
};

/** For the audit log, which more people read than may see whole commands. */
export const auditedProduct = (
  {
    notes: _notes,
    notForSale: _notForSale,
    notForSaleWhy: _why,
    currentPrice: _price,
    priceUntil: _until,
    ...product
  }: Product,
  mask: Game['maskCommand'],
) => ({
  ...product,
  lines: product.lines.map((line) => {
    if (line.kind !== 'command') return line;
    const { counterCommand } = line;
    return {
      ...line,
      command: mask(line.command),
      ...(counterCommand === undefined ? {} : { counterCommand: mask(counterCommand) }),
    };
  }),
});
