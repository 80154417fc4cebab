import { type Kysely, sql } from 'kysely';
import type { wipeActs } from '#contracts/store/store.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

export interface WipeChange {
  readonly ids: readonly string[];
  readonly onWipe: (typeof wipeActs)[number];
}

/** Sets what a season does with several products; all of them, or none if one is not there. */
export const changeOnWipe = (
  db: Kysely<Tables>,
  { ids, onWipe }: WipeChange,
  by: AuditContext,
): Promise<Refusal | null> =>
  retryDeadlocks(db, async (trx) => {
    const { rows } = await sql<{ id: string; on_wipe: WipeChange['onWipe'] }>`
      select id, on_wipe from products where id = any (${ids}::text[]) order by id for update`.execute(trx);
    if (rows.length !== new Set(ids).size) return refuse('NOT_FOUND');
    const changed = rows.filter((row) => row.on_wipe !== onWipe).map(({ id }) => id);
    if (changed.length === 0) return null;
    await sql`update products set on_wipe = ${onWipe} where id = any (${changed}::text[])`.execute(trx);
    await recordAudit(trx, {
      ...by,
      action: 'products.on-wipe',
      target: 'store',
      after: { ids: changed, onWipe },
    });
    return null;
  });
