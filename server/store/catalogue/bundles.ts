import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { GivenLine, Product, ProductDraft, ProductLine } from '#contracts/store/store.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { whyNotGivable } from './not-for-sale.ts';
import { readProducts, type StoredProduct } from './product-rows.ts';
import type { SoldPart } from './sold-product.ts';

type Note = Product['notes'][number];

interface Lines {
  readonly lines: readonly ProductLine[];
}

export const partLines = ({ lines }: Lines) => lines.filter((line) => line.kind === 'product');
const givenLines = ({ lines }: Lines): readonly GivenLine[] =>
  lines.filter((line) => line.kind !== 'product');
export const isBundle = (product: Lines): boolean => partLines(product).length > 0;

/** A product, and what its seller must know about the lines that it has itself. */
interface NotedProduct {
  readonly product: StoredProduct;
  readonly notes: readonly Note[];
}

/** The objections to the products in a bundle. Whether they are sold alone does not matter. */
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
    if (part.notes.some(({ kind }) => kind === 'approval-ended'))
      return note('approval-ended', reasons['bundle-part-approval-ended'](name));
    return part.notes.some(({ kind }) => kind === 'unconfirmed-item')
      ? note('unconfirmed-item', reasons['bundle-part-unconfirmed'](name))
      : [];
  });

/** What one piece of a product gives. Products in a bundle share its price in proportion to what they cost alone, without a schedule. */
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
    approval: given.approval,
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

/** A product that a bundle may hold, as it will be saved. */
interface PossiblePart {
  readonly id: string;
  readonly game: GameId;
  readonly isBundle: boolean;
}

type BundleDraft = Pick<ProductDraft, 'game' | 'lines' | 'clusterIds' | 'serverIds'>;

/**
 * Why a bundle cannot be like this; null if it can.
 * @param id null: it is new
 * @returns line: from 0; null: it concerns no line
 */
export const findBundleFault = (
  id: string | null,
  draft: BundleDraft,
  partOf: (id: string) => PossiblePart | undefined,
): { readonly line: number | null; readonly fault: string } | null => {
  const parts = partLines(draft);
  if (parts.length === 0) return null;
  if (parts.length < draft.lines.length) return { line: null, fault: reasons['bundle-mixed'] };
  if (draft.clusterIds.length + draft.serverIds.length > 0)
    return { line: null, fault: reasons['bundle-servers'] };
  const ids = parts.map(({ productId }) => productId);
  for (const [line, partId] of ids.entries()) {
    const part = partOf(partId);
    if (!part) return { line, fault: reasons['no-such-product'] };
    if (ids.indexOf(partId) < line) return { line, fault: reasons['bundle-repeats'] };
    if (part.game !== draft.game) return { line, fault: reasons['bundle-part-game'] };
    if (part.id === id || part.isBundle) return { line, fault: reasons['bundle-part-bundle'] };
  }
  return null;
};

/** Locks the parts of these products until the transaction ends, so that none becomes a bundle in between. */
export const holdParts = async (
  trx: Kysely<Tables>,
  drafts: readonly Lines[],
): Promise<ReadonlyMap<string, PossiblePart>> => {
  const ids = [...new Set(drafts.flatMap(partLines).map(({ productId }) => productId))];
  if (ids.length === 0) return new Map();
  await trx.selectFrom('products').select('id').where('id', 'in', ids).orderBy('id').forShare().execute();
  const parts = await readProducts(trx, ids);
  return new Map(parts.map((part) => [part.id, { id: part.id, game: part.game, isBundle: isBundle(part) }]));
};

/**
 * Why a product that is in a bundle cannot become like this; null if it can.
 * @param except bundles that are saved together with it
 */
export const findHeldFault = async (
  trx: Kysely<Tables>,
  id: string,
  draft: BundleDraft,
  except: readonly string[] = [],
): Promise<string | null> => {
  const holder = await trx
    .selectFrom('products')
    .innerJoin('product_versions as sold', (join) =>
      join.onRef('sold.product_id', '=', 'products.id').onRef('sold.version', '=', 'products.version'),
    )
    .select(['sold.name', 'sold.game'])
    .where('products.archived_at', 'is', null)
    .where('products.id', '<>', sql<string>`all (${except}::text[])`)
    .where(sql<boolean>`sold.lines @> ${JSON.stringify([{ kind: 'product', productId: id }])}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  return holder && (isBundle(draft) || holder.game !== draft.game)
    ? reasons['bundle-holds-this'](holder.name)
    : null;
};
