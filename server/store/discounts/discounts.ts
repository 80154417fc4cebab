import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { Discount, DiscountDraft } from '#contracts/store/discounts.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { refuseTaken } from '../../kernel/database/unique-violation.ts';
import { type Refusal, refuse, refuseTakenValue } from '../../kernel/http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';
import { columnsOf, type DiscountRow, readUses, selectDiscounts, toDiscount } from './discount-rows.ts';

type Trx = Kysely<Tables>;

/** More people read the audit log than may see codes. */
const audited = ({ code: _code, uses: _uses, ...discount }: Discount) => discount;
const reference = (id: string) => `discount:${id}`;

export type Discounts = ReturnType<typeof createDiscounts>;

export const createDiscounts = (db: Kysely<Tables>) => {
  const present = async (trx: Trx, rows: readonly DiscountRow[]): Promise<Discount[]> => {
    const uses = await readUses(
      trx,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => toDiscount(row, uses.get(row.id) ?? 0));
  };
  const find = async (trx: Trx, id: string): Promise<Discount | undefined> =>
    (await present(trx, await selectDiscounts(trx).where('id', '=', id).execute()))[0];
  const hold = (trx: Trx, id: string) =>
    selectDiscounts(trx).where('id', '=', id).forUpdate().executeTakeFirst();

  /** A code is unique among the discounts that were not removed. */
  const write = (work: (trx: Trx) => Promise<Discount | Refusal>): Promise<Discount | Refusal> => {
    const taken = refuseTakenValue('NAME_TAKEN', 'body.code', reasons['discount-code-taken']);
    return refuseTaken(db.transaction().execute(work), 'discounts_code', taken);
  };
  const demand = async (trx: Trx, id: string): Promise<Discount> => {
    const found = await find(trx, id);
    if (!found) throw new Error('a discount is gone in the transaction that wrote it');
    return found;
  };

  return {
    list: (query: PageQuery): Promise<Page<Discount>> =>
      readOlderPage(
        query,
        async ({ beyond, limit }) => {
          let page = selectDiscounts(db).orderBy('number', 'desc').limit(limit);
          if (beyond) page = page.where('number', '<', beyond.id);
          const rows = await page.execute();
          const shown = await present(db, rows);
          return shown.map((discount, index) => ({ discount, number: rows[index]?.number ?? '0' }));
        },
        ({ discount, number }) => ({ at: new Date(discount.createdAt), id: number }),
      ).then(({ rows, nextCursor }) => ({ rows: rows.map(({ discount }) => discount), nextCursor })),

    read: async (id: string): Promise<Discount | Refusal> => (await find(db, id)) ?? refuse('NOT_FOUND'),

    create: (draft: DiscountDraft, by: AuditContext): Promise<Discount | Refusal> =>
      write(async (trx) => {
        const id = createId();
        await trx
          .insertInto('discounts')
          .values({ id, ...columnsOf(draft) })
          .execute();
        const after = await demand(trx, id);
        await recordAudit(trx, {
          ...by,
          action: 'discounts.create',
          target: reference(id),
          after: audited(after),
        });
        return after;
      }),

    change: (
      id: string,
      { version, ...draft }: DiscountDraft & { readonly version: number },
      by: AuditContext,
    ): Promise<Discount | Refusal> =>
      write(async (trx) => {
        const held = await hold(trx, id);
        if (!held) return refuse('NOT_FOUND');
        if (held.version !== version) return refuse('CONFLICT');
        const before = audited(toDiscount(held, 0));
        await trx
          .updateTable('discounts')
          .set({ ...columnsOf(draft), version: version + 1 })
          .where('id', '=', id)
          .execute();
        const after = await demand(trx, id);
        await recordAudit(trx, {
          ...by,
          action: 'discounts.change',
          target: reference(id),
          before,
          after: audited(after),
        });
        return after;
      }),

    remove: (id: string, by: AuditContext): Promise<Record<string, never> | Refusal> =>
      db.transaction().execute(async (trx) => {
        const held = await hold(trx, id);
        if (!held) return refuse('NOT_FOUND');
        await trx.updateTable('discounts').set({ removed_at: new Date() }).where('id', '=', id).execute();
        await recordAudit(trx, {
          ...by,
          action: 'discounts.remove',
          target: reference(id),
          before: audited(toDiscount(held, 0)),
        });
        return {};
      }),
  };
};
