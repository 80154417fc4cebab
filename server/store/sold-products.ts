import type { Kysely } from 'kysely';
import type { Product, ProductLine } from '#contracts/store/store.ts';
import { gameOf } from '#games/games.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { findBundleNotes, isBundle, partLines, partsOf } from './catalogue/bundles.ts';
import { readApprovalStates } from './catalogue/command-approval.ts';
import { readItemFacts } from './catalogue/items.ts';
import { findLineNotes } from './catalogue/line-notes.ts';
import { whyNotForSale, whyNotGivable } from './catalogue/not-for-sale.ts';
import { priceAt } from './catalogue/price-schedule.ts';
import {
  readProductPage,
  readProducts,
  type StoredProduct,
  type WantedProducts,
} from './catalogue/product-rows.ts';
import { toProduct } from './catalogue/product-shapes.ts';
import type { SoldProduct } from './catalogue/sold-product.ts';
import type { StoreContext } from './store-context.ts';

type Trx = Kysely<Tables>;

/** Why the Discord roles in these lines are never given; null: they may be. */
export const readRoleFaults = async (
  { roleFaults }: Pick<StoreContext, 'roleFaults'>,
  trx: Trx,
  products: readonly { readonly lines: readonly ProductLine[] }[],
): Promise<(roleId: string) => string | null> => {
  const roleIds = products.flatMap(({ lines }) =>
    lines.flatMap((line) => (line.kind === 'role' ? [line.roleId] : [])),
  );
  const faults = roleIds.length === 0 ? new Map<string, string>() : await roleFaults(trx, roleIds);
  return (roleId) => faults.get(roleId) ?? null;
};

/** With what each bundle holds. */
const withNotes = async (
  context: Pick<StoreContext, 'roleFaults'>,
  trx: Trx,
  stored: readonly StoredProduct[],
) => {
  const partIds = new Set(stored.flatMap(partLines).map(({ productId }) => productId));
  const held = partIds.size === 0 ? [] : await readProducts(trx, [...partIds]);
  const facts = await readItemFacts(trx, [...stored, ...held]);
  const roleFault = await readRoleFaults(context, trx, [...stored, ...held]);
  const approvalOf = await readApprovalStates(trx, [...stored, ...held]);
  const note = (product: StoredProduct) => ({
    product,
    notes: findLineNotes(product, {
      forms: gameOf(product.game).store,
      roleFault,
      items: facts,
      approval: approvalOf(product),
    }),
  });
  const byId = new Map(held.map((part) => [part.id, note(part)]));
  return stored.map((product) => ({
    product,
    notes: isBundle(product) ? [...findBundleNotes(product, byId)] : note(product).notes,
    parts: partsOf(product, byId),
    approval: approvalOf(product),
  }));
};

export const presentProducts = async (
  context: Pick<StoreContext, 'roleFaults' | 'now'>,
  trx: Trx,
  stored: readonly StoredProduct[],
): Promise<Product[]> =>
  (await withNotes(context, trx, stored)).map(({ product, notes, approval }) =>
    toProduct(product, notes, approval, new Date(context.now())),
  );

/** Everything that sells at this moment, or the wanted part of it, by category and name. */
export const readForSale = async (
  context: Pick<StoreContext, 'db' | 'roleFaults' | 'now'>,
  wanted: WantedProducts = {},
): Promise<readonly Product[]> => {
  const { db } = context;
  const found: Product[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readProductPage(db, { archived: false, limit: 500, cursor, selling: wanted });
    const shown = await presentProducts(context, db, page.rows);
    found.push(...shown.filter(({ notForSale }) => notForSale === null));
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
};

/** The existing products among these ids, with the objections to their sale at this time. */
export const readSold = async (
  context: Pick<StoreContext, 'roleFaults'>,
  trx: Trx,
  ids: readonly string[],
  at: Date,
): Promise<readonly SoldProduct[]> => {
  const found = await withNotes(context, trx, await readProducts(trx, ids));
  return found.map(({ product, notes, parts }) => {
    const { price, until } = priceAt(product.basePrice, product.priceSchedule, at);
    return {
      id: product.id,
      version: product.version,
      name: product.name,
      category: product.category,
      basePrice: product.basePrice,
      game: product.game,
      limits: product.limits,
      stock: product.stock,
      price,
      priceUntil: until,
      parts,
      notForSale: whyNotForSale(product, notes, at),
      notGivable: whyNotGivable(product, notes),
      notTestable: notes.find(({ kind }) => kind === 'approval-ended')?.detail ?? null,
    };
  });
};
