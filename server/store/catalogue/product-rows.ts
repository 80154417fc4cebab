import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { Product, ProductDraft, ProductLine, ScheduledPrice } from '#contracts/store/store.ts';
import { Problem } from '#runtime/problem.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Approval } from './command-approval.ts';
import type { ProductTerms } from './sold-product.ts';

/** A product with its current version. */
export interface StoredProduct extends ProductTerms {
  readonly description: string;
  readonly priceSchedule: readonly ScheduledPrice[];
  /** Both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  readonly lines: readonly ProductLine[];
  readonly approval: Approval | null;
  readonly isEnabled: boolean;
  readonly onWipe: Product['onWipe'];
  readonly regrantMost: number | null;
  readonly createdAt: Date;
  readonly archivedAt: Date | null;
  readonly heldAt: Date | null;
  readonly heldReason: string | null;
  readonly shortCode: string | null;
  /** Its place within its category. */
  readonly position: number;
  /** At least one server in use fits its scope. */
  readonly hasServer: boolean;
  readonly picture: {
    readonly mediaType: string;
    readonly width: number;
    readonly height: number;
    readonly sha256: string;
  } | null;
}

const longestId = 64;

const hasServer = sql<boolean>`exists (
  select from game_servers as server
  where server.archived_at is null and server.game = sold.game
    and (cardinality(sold.cluster_ids) + cardinality(sold.server_ids) = 0
      or server.id = any (sold.server_ids) or server.cluster_id = any (sold.cluster_ids)))`;

const selectProducts = (db: Kysely<Tables>) =>
  db
    .selectFrom('products')
    .innerJoin('product_versions as sold', (join) =>
      join.onRef('sold.product_id', '=', 'products.id').onRef('sold.version', '=', 'products.version'),
    )
    .leftJoin('product_pictures as picture', 'picture.product_id', 'products.id')
    .select([
      'products.id',
      'products.version',
      'products.stock',
      'products.is_enabled as isEnabled',
      'products.on_wipe as onWipe',
      'products.regrant_most as regrantMost',
      'products.created_at as createdAt',
      'products.archived_at as archivedAt',
      'products.held_at as heldAt',
      'products.held_reason as heldReason',
      'products.short_code as shortCode',
      'products.position',
      'sold.name',
      'sold.description',
      'sold.category',
      'sold.price',
      'sold.price_schedule as priceSchedule',
      'sold.game',
      'sold.cluster_ids as clusterIds',
      'sold.server_ids as serverIds',
      'sold.lines',
      'sold.limits',
      'sold.approved_by',
      'sold.approved_name',
      'sold.approved_at',
      'picture.media_type',
      'picture.width',
      'picture.height',
      'picture.sha256',
      hasServer.as('hasServer'),
    ])
    .orderBy('sold.category')
    .orderBy('products.position')
    .orderBy('sold.name_key')
    .orderBy('products.id');

type Row = Awaited<ReturnType<ReturnType<typeof selectProducts>['execute']>>[number];

const toStored = ({
  media_type,
  width,
  height,
  sha256,
  price,
  approved_by,
  approved_name,
  approved_at,
  ...row
}: Row): StoredProduct => ({
  ...row,
  basePrice: Number(price),
  approval:
    approved_by === null || approved_at === null
      ? null
      : { by: approved_by, name: approved_name, at: approved_at },
  picture:
    media_type === null || width === null || height === null || sha256 === null
      ? null
      : { mediaType: media_type, width, height, sha256 },
});

/** The existing products among these ids, in the order of the store. */
export const readProducts = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<readonly StoredProduct[]> => {
  const rows = await selectProducts(db)
    .where('products.id', '=', sql<string>`any (${ids}::text[])`)
    .execute();
  return rows.map(toStored);
};

export interface WantedProducts {
  readonly id?: string;
  /** A part of the name. */
  readonly text?: string;
}

export interface ProductPageQuery {
  readonly archived: boolean;
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** Leaves out products that are switched off or stopped, which no one can buy. */
  readonly selling?: WantedProducts | undefined;
}

/**
 * In the order of the store: by category, then by the order that staff gave, then by name. The cursor is the id of the
 * previous page's last product.
 * @throws {Problem} INVALID_REQUEST for an unknown cursor
 */
export const readProductPage = async (
  db: Kysely<Tables>,
  { archived, cursor, limit, selling }: ProductPageQuery,
): Promise<{ readonly rows: readonly StoredProduct[]; readonly nextCursor: string | null }> => {
  let query = selectProducts(db)
    .where('products.archived_at', archived ? 'is not' : 'is', null)
    .limit(limit + 1);
  if (selling) {
    const { id, text = '' } = selling;
    query = query.where('products.is_enabled', '=', true).where('products.held_at', 'is', null);
    if (id !== undefined) query = query.where('products.id', '=', storableText(id, longestId));
    const key = nameKey(text).replace(/[\\%_]/g, '\\$&');
    if (key !== '') query = query.where('sold.name_key', 'like', `%${key}%`);
  }
  if (cursor !== undefined) {
    const last = await selectProducts(db)
      .select('sold.name_key')
      .where('products.id', '=', storableText(cursor, longestId))
      .executeTakeFirst();
    if (!last) throw new Problem('INVALID_REQUEST', { detail: reasons['cursor-unknown'] });
    const seen = sql`(${last.category}, ${last.position}, ${last.name_key}, ${last.id})`;
    query = query.where(
      sql<boolean>`(sold.category, products.position, sold.name_key, products.id) > ${seen}`,
    );
  }
  const found = await query.execute();
  const rows = found.slice(0, limit).map(toStored);
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
};

/** Inserts the contents of versions. */
export const insertVersions = async (
  trx: Kysely<Tables>,
  versions: readonly {
    readonly id: string;
    readonly version: number;
    readonly draft: ProductDraft;
    readonly approval: Approval | null;
  }[],
): Promise<void> => {
  await trx
    .insertInto('product_versions')
    .values(
      versions.map(({ id, version, draft, approval }) => ({
        product_id: id,
        version,
        name: draft.name,
        name_key: nameKey(draft.name),
        description: draft.description,
        category: draft.category,
        price: draft.price,
        price_schedule: JSON.stringify(draft.priceSchedule),
        game: draft.game,
        cluster_ids: draft.clusterIds,
        server_ids: draft.serverIds,
        lines: JSON.stringify(draft.lines),
        limits: JSON.stringify(draft.limits),
        approved_by: approval?.by ?? null,
        approved_name: approval?.name ?? null,
        approved_at: approval?.at ?? null,
      })),
    )
    .execute();
};

/** Inserts a version with the contents of the previous one; a trigger keeps its approval. */
export const copyVersion = async (trx: Kysely<Tables>, productId: string, version: number): Promise<void> => {
  const kept = sql`name, name_key, description, category, price, price_schedule, game, cluster_ids, server_ids,
    lines, limits`;
  await sql`
    insert into product_versions (product_id, version, ${kept})
    select product_id, ${version}, ${kept} from product_versions
    where product_id = ${productId} and version = ${version - 1}`.execute(trx);
};
