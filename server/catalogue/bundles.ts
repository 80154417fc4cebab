import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { reasonOf, reasons } from '#contracts/reasons.ts';
import type { GivenLine, Product, ProductDraft, ProductLine } from '#contracts/store.ts';
import type { Tables } from '../database/tables.ts';
import type { SoldPart } from '../store-terms/sold-product.ts';
import { whyNotGivable } from './not-for-sale.ts';
import { readProducts, type StoredProduct } from './product-rows.ts';

type Note = Product['notes'][number];

interface Lines {
  readonly lines: readonly ProductLine[];
}

export const partLines = ({ lines }: Lines) => lines.filter((line) => line.kind === 'product');
export const givenLines = ({ lines }: Lines): readonly GivenLine[] =>
  lines.filter((line) => line.kind !== 'product');
export const isBundle = (product: Lines): boolean => partLines(product).length > 0;

/** A product with what its seller must know of its own lines. */
export interface NotedProduct {
  readonly product: StoredProduct;
  readonly notes: readonly Note[];
}

/** What stands against the products in a bundle. Whether they are sold alone does not matter. */
export const findBundleNotes = (
  bundle: Pick<StoredProduct, 'game' | 'lines'>,
  parts: ReadonlyMap<string, NotedProduct>,
): readonly Note[] =>
  bundle.lines.flatMap((line, position): Note[] => {
    if (line.kind !== 'product') return [];
    const note = (kind: Note['kind'], detail: string) => [
      { position, kind, detail, reason: reasonOf(detail) },
    ];
    const part = parts.get(line.productId);
    if (!part) return note('invalid', reasons['no-such-product']);
    const { name, game, heldAt, heldReason } = part.product;
    if (game !== bundle.game) return note('invalid', reasons['bundle-part-game']);
    if (isBundle(part.product)) return note('invalid', reasons['bundle-part-bundle']);
    const notGivable = whyNotGivable(part.product, part.notes);
    if (notGivable !== null) return note('invalid', reasons['bundle-part-unfit'](name, notGivable));
    if (heldAt) return note('stopped-part', reasons['bundle-part-stopped'](name, heldReason ?? ''));
    return part.notes.some(({ kind }) => kind === 'unconfirmed-item')
      ? note('unconfirmed-item', reasons['bundle-part-unconfirmed'](name))
      : [];
  });

/** What one piece of a product gives. Products in a bundle share its price by what they cost alone, without a schedule. */
export const partsOf = (
  product: StoredProduct,
  parts: ReadonlyMap<string, NotedProduct>,
): readonly SoldPart[] => {
  const soldAs = (given: StoredProduct, quantity: number, worth: number): SoldPart => ({
    id: given.id,
    version: given.version,
    quantity,
    worth,
    clusterIds: given.clusterIds,
    serverIds: given.serverIds,
    lines: givenLines(given),
    stock: given.stock,
  });
  if (!isBundle(product)) return [soldAs(product, 1, 1)];
  const held = partLines(product).flatMap(({ productId, quantity }) => {
    const part = parts.get(productId);
    return part ? [{ part: part.product, quantity }] : [];
  });
  const isWorthNothing = held.every(({ part }) => part.basePrice === 0);
  return held.map(({ part, quantity }) =>
    soldAs(part, quantity, isWorthNothing ? 1 : part.basePrice * quantity),
  );
};

/**
 * Why a product cannot be saved like this: as a bundle, or as a part of one. Holds the parts until the transaction ends, so
 * that none becomes a bundle meanwhile.
 * @param id null: it is new
 */
export const findBundleFault = async (
  trx: Kysely<Tables>,
  id: string | null,
  draft: ProductDraft,
): Promise<string | null> => {
  const parts = partLines(draft);
  const holder = id === null ? null : await findHolder(trx, id);
  if (holder && (parts.length > 0 || holder.game !== draft.game))
    return reasons['bundle-holds-this'](holder.name);
  if (parts.length === 0) return null;
  if (parts.length < draft.lines.length) return reasons['bundle-mixed'];
  if (draft.clusterIds.length + draft.serverIds.length > 0) return reasons['bundle-servers'];
  const ids = parts.map(({ productId }) => productId);
  await trx.selectFrom('products').select('id').where('id', 'in', ids).orderBy('id').forShare().execute();
  const stored = new Map((await readProducts(trx, ids)).map((product) => [product.id, product]));
  for (const [index, partId] of ids.entries()) {
    const part = stored.get(partId);
    const fault = findPartFault(part, { id, game: draft.game, isRepeated: ids.indexOf(partId) < index });
    if (fault !== null) return reasons['line-fault'](index + 1, fault);
  }
  return null;
};

const findPartFault = (
  part: StoredProduct | undefined,
  bundle: { readonly id: string | null; readonly game: string; readonly isRepeated: boolean },
): string | null => {
  if (!part) return reasons['no-such-product'];
  if (bundle.isRepeated) return reasons['bundle-repeats'];
  if (part.game !== bundle.game) return reasons['bundle-part-game'];
  return part.id === bundle.id || isBundle(part) ? reasons['bundle-part-bundle'] : null;
};

/** A bundle in use that holds this product. */
const findHolder = (trx: Kysely<Tables>, id: string) =>
  trx
    .selectFrom('products')
    .innerJoin('product_versions as sold', (join) =>
      join.onRef('sold.product_id', '=', 'products.id').onRef('sold.version', '=', 'products.version'),
    )
    .select(['sold.name', 'sold.game'])
    .where('products.archived_at', 'is', null)
    .where(sql<boolean>`sold.lines @> ${JSON.stringify([{ kind: 'product', productId: id }])}::jsonb`)
    .limit(1)
    .executeTakeFirst();
