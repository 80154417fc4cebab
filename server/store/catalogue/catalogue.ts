import type { Readable } from 'node:stream';
import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql, type Updateable } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { reasons } from '#contracts/kernel/reasons.ts';
import { lastPosition, type Product, type ProductDraft } from '#contracts/store/store.ts';
import { pictureLimits } from '#contracts/store/store-http.ts';
import { gameOf } from '#games/games.ts';
import { readPicture } from '#runtime/pictures/read-picture.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { presentProducts, readRoleFaults } from '../sold-products.ts';
import type { StoreContext } from '../store-context.ts';
import { findBundleFault, findHeldFault, holdParts } from './bundles.ts';
import { type Approval, approveOne } from './command-approval.ts';
import { createItems } from './items.ts';
import { findLastingFault, findLineFault } from './line-notes.ts';
import { changeOnWipe, type WipeChange } from './on-wipe.ts';
import { findScheduleFault } from './price-schedule.ts';
import { orderProducts, type ProductOrder } from './product-order.ts';
import {
  copyVersion,
  insertVersions,
  type ProductPageQuery,
  readProductPage,
  readProducts,
} from './product-rows.ts';
import { findScopeFault } from './product-scope.ts';
import { auditedProduct, copyOf, saleColumns, stockAfter } from './product-shapes.ts';
import { chooseShortCode } from './short-code.ts';
import { exportCatalogue } from './transfer/export-catalogue.ts';
import { importCatalogue } from './transfer/import-catalogue.ts';

type Trx = Kysely<Tables>;

/** The effect of a change; a refusal rolls it back. */
type Change =
  | Refusal
  | {
      readonly draft?: ProductDraft;
      readonly approval?: Approval | null;
      readonly columns?: Updateable<Tables['products']>;
    };

/** What is for sale, and how it is changed. */
export type Catalogue = ReturnType<typeof createCatalogue>;

export const createCatalogue = (context: Pick<StoreContext, 'db' | 'roleFaults' | 'now'>) => {
  const { db } = context;
  const now = () => new Date(context.now());

  const find = async (trx: Trx, id: string): Promise<Product | undefined> =>
    (await presentProducts(context, trx, await readProducts(trx, [id])))[0];
  const demand = async (trx: Trx, id: string): Promise<Product> => {
    const found = await find(trx, id);
    if (!found) throw new Error('a product is gone in the transaction that wrote it');
    return found;
  };

  const audited = (product: Product) => auditedProduct(product, gameOf(product.game).maskCommand);

  const bundleFaultOf = async (trx: Trx, id: string | null, draft: ProductDraft): Promise<string | null> => {
    const parts = await holdParts(trx, [draft]);
    const found = findBundleFault(id, draft, (partId) => parts.get(partId));
    if (!found) return null;
    return found.line === null ? found.fault : reasons['line-fault'](found.line + 1, found.fault);
  };

  const findFault = async (trx: Trx, id: string | null, draft: ProductDraft): Promise<string | null> => {
    const rules = {
      forms: gameOf(draft.game).store,
      roleFault: await readRoleFaults(context, trx, [draft]),
    };
    for (const [position, line] of draft.lines.entries()) {
      if (line.kind === 'product') continue;
      const fault = findLineFault(line, rules);
      if (fault !== null) return reasons['line-fault'](position + 1, fault);
    }
    const lastingFault = findLastingFault(draft.lines);
    if (lastingFault !== null) return lastingFault;
    const { saleFrom, saleUntil } = draft.limits;
    if (saleFrom !== undefined && saleUntil !== undefined && new Date(saleFrom) >= new Date(saleUntil))
      return reasons['sale-backwards'];
    return (
      findScheduleFault(draft.priceSchedule) ??
      (id === null ? null : await findHeldFault(trx, id, draft)) ??
      (await bundleFaultOf(trx, id, draft)) ??
      findScopeFault(trx, draft)
    );
  };

  /** Every change creates a version: a draft has new contents, other changes copy them. */
  const change = (
    id: string,
    version: number,
    entry: AuditContext & { readonly action: AuditAction },
    work: (trx: Trx, before: Product) => Promise<Change>,
  ): Promise<Product | Refusal> =>
    // A bundle is locked before its parts, whatever their ids are.
    retryDeadlocks(db, async (trx) => {
      await trx.selectFrom('products').select('id').where('id', '=', id).forUpdate().execute();
      const before = await find(trx, id);
      if (!before) return refuse('NOT_FOUND');
      if (before.version !== version) return refuse('CONFLICT');
      const changed = await work(trx, before);
      if (isRefusal(changed)) return changed;
      const next = version + 1;
      const { draft, approval = null } = changed;
      if (draft) await insertVersions(trx, [{ id, version: next, draft, approval }]);
      else await copyVersion(trx, id, next);
      await trx
        .updateTable('products')
        .set({ ...changed.columns, version: next })
        .where('id', '=', id)
        .execute();
      const after = await demand(trx, id);
      const target = `product:${id}`;
      await recordAudit(trx, { ...entry, target, before: audited(before), after: audited(after) });
      return after;
    });

  return {
    items: createItems(db),

    async list(query: ProductPageQuery): Promise<{ rows: Product[]; nextCursor: string | null }> {
      const { rows, nextCursor } = await readProductPage(db, query);
      return { rows: await presentProducts(context, db, rows), nextCursor };
    },
    read: async (id: string): Promise<Product | Refusal> => (await find(db, id)) ?? refuse('NOT_FOUND'),

    create: (draft: ProductDraft, by: AuditContext): Promise<Product | Refusal> =>
      db.transaction().execute(async (trx) => {
        const fault = await findFault(trx, null, draft);
        if (fault !== null) return refuse('PRODUCT_INVALID', fault);
        const approval = await approveOne(trx, by.actor, { after: draft }, now());
        if (isRefusal(approval)) return approval;
        const id = createId();
        const { stock } = draft;
        const shortCode = await chooseShortCode(trx, draft, null);
        if (isRefusal(shortCode)) return shortCode;
        await trx
          .insertInto('products')
          .values({ id, stock, short_code: shortCode, ...saleColumns(draft) })
          .execute();
        await insertVersions(trx, [{ id, version: 1, draft, approval }]);
        const after = await demand(trx, id);
        const target = `product:${id}`;
        await recordAudit(trx, { ...by, action: 'products.create', target, after: audited(after) });
        return after;
      }),

    /** A copy, switched off. */
    duplicate: (id: string, name: string | undefined, by: AuditContext): Promise<Product | Refusal> =>
      db.transaction().execute(async (trx) => {
        const [source] = await readProducts(trx, [id]);
        if (!source) return refuse('NOT_FOUND');
        const draft = copyOf(source, name);
        const fault = await findFault(trx, null, draft);
        if (fault !== null) return refuse('PRODUCT_INVALID', fault);
        const approval = await approveOne(trx, by.actor, { after: draft }, now());
        if (isRefusal(approval)) return approval;
        const copyId = createId();
        const shortCode = await chooseShortCode(trx, draft, null);
        if (isRefusal(shortCode)) return shortCode;
        await trx
          .insertInto('products')
          .values({ id: copyId, stock: draft.stock, short_code: shortCode, ...saleColumns(draft) })
          .execute();
        await insertVersions(trx, [{ id: copyId, version: 1, draft, approval }]);
        await sql`
          insert into product_pictures (product_id, media_type, width, height, bytes, sha256)
          select ${copyId}, media_type, width, height, bytes, sha256 from product_pictures
          where product_id = ${id}`.execute(trx);
        const after = await demand(trx, copyId);
        await recordAudit(trx, {
          ...by,
          action: 'products.duplicate',
          target: `product:${copyId}`,
          before: { copiedFrom: id },
          after: audited(after),
        });
        return after;
      }),

    order: (order: ProductOrder, by: AuditContext): Promise<Refusal | null> => orderProducts(db, order, by),
    changeOnWipe: (change: WipeChange, by: AuditContext): Promise<Refusal | null> =>
      changeOnWipe(db, change, by),
    export: (options: { readonly pictures: boolean }): Promise<Readable> => exportCatalogue(db, options),
    import: (file: Uint8Array, options: { readonly dryRun: boolean }, by: AuditContext) =>
      importCatalogue(context, file, options, by),

    change: (
      id: string,
      {
        version,
        stockWas,
        ...draft
      }: ProductDraft & { readonly version: number; readonly stockWas?: number | null | undefined },
      by: AuditContext,
    ): Promise<Product | Refusal> =>
      change(id, version, { ...by, action: 'products.change' }, async (trx, before) => {
        const fault = await findFault(trx, id, draft);
        if (fault !== null) return refuse('PRODUCT_INVALID', fault);
        const [known] = await readProducts(trx, [id]);
        const approval = await approveOne(trx, by.actor, { before: known, after: draft }, now());
        if (isRefusal(approval)) return approval;
        const shortCode = await chooseShortCode(trx, draft, before);
        if (isRefusal(shortCode)) return shortCode;
        const stock = stockAfter(before.stock, draft.stock, stockWas);
        // The place belonged to the previous category.
        const moved = draft.category === before.category ? {} : { position: lastPosition };
        return {
          draft,
          approval,
          columns: { stock, short_code: shortCode, ...saleColumns(draft), ...moved },
        };
      }),

    archive: (
      id: string,
      { version, archived }: { readonly version: number; readonly archived: boolean },
      by: AuditContext,
    ): Promise<Product | Refusal> =>
      change(
        id,
        version,
        { ...by, action: archived ? 'products.archive' : 'products.restore' },
        async () => ({ columns: { archived_at: archived ? now() : null } }),
      ),

    release: (id: string, version: number, by: AuditContext): Promise<Product | Refusal> =>
      change(id, version, { ...by, action: 'products.release' }, async () => ({
        columns: { held_at: null, held_reason: null },
      })),

    /** Approves its commands, by an actor who may give them on all its servers and was just confirmed. */
    approve: (id: string, version: number, by: AuditContext): Promise<Product | Refusal> =>
      change(id, version, { ...by, action: 'products.approve' }, async (trx) => {
        const [known] = await readProducts(trx, [id]);
        if (!known) return refuse('NOT_FOUND');
        const approval = await approveOne(trx, by.actor, { after: known }, now());
        if (isRefusal(approval)) return approval;
        const draft = { ...copyOf(known, known.name), isEnabled: known.isEnabled };
        return { draft, approval };
      }),

    async setPicture(
      id: string,
      { version, picture }: { readonly version: number; readonly picture: string | null },
      by: AuditContext,
    ): Promise<Product | Refusal> {
      const read = picture === null ? null : readPicture(Buffer.from(picture, 'base64'), pictureLimits);
      if (read && 'unfit' in read) return refuse('PICTURE_INVALID', read.unfit);
      return change(id, version, { ...by, action: 'products.picture' }, async (trx) => {
        await trx.deleteFrom('product_pictures').where('product_id', '=', id).execute();
        if (!read) return {};
        const { mediaType, width, height, bytes, sha256 } = read;
        await trx
          .insertInto('product_pictures')
          .values({ product_id: id, media_type: mediaType, width, height, bytes, sha256 })
          .execute();
        return {};
      });
    },

    async picture(id: string): Promise<{ mediaType: string; picture: string } | Refusal> {
      const row = await db
        .selectFrom('product_pictures')
        .select(['media_type', 'bytes'])
        .where('product_id', '=', id)
        .executeTakeFirst();
      return row
        ? { mediaType: row.media_type, picture: row.bytes.toString('base64') }
        : refuse('NOT_FOUND', reasons['picture-unknown']);
    },
  };
};
