import type { Readable } from 'node:stream';
import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { CodeBatch, NewCodeBatch, RewardCode } from '#contracts/store/rewards.ts';
import { newTypedCode, normalizeTypedCode } from '#runtime/auth/typed-code.ts';
import { exportCsv, rowsPerRead } from '#runtime/row-export.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isTaken } from '../../kernel/database/unique-violation.ts';
import { type Refusal, refuse, refuseTakenValue } from '../../kernel/http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';

type Trx = Kysely<Tables>;
type BatchRow = Selectable<Tables['reward_code_batches']>;
/** 60 bits: guessing within the limits on wrong codes finds none of a million in centuries. */
const codeGroups = 3;

interface CodeRow {
  readonly id: string;
  readonly code: string;
  readonly uses: number;
  readonly last_used_at: Date | null;
}

/** Codes are stored in plain text: they are shown and exported again, and give points that the same people may give anyway. */
export const createCodeBatches = (db: Kysely<Tables>) => {
  const readBatches = async (slice: {
    readonly beyond?: string | null;
    readonly limit: number;
    id?: string;
  }) => {
    const { rows } = await sql<BatchRow & { codes: number; uses: number }>`
      select batch.*, (select count(*)::int from reward_codes where batch_id = batch.id) as codes,
             (select count(*)::int from reward_codes as code join reward_code_uses as used on used.code_id = code.id
              where code.batch_id = batch.id) as uses
      from reward_code_batches as batch
      where ${slice.id === undefined ? sql`true` : sql`batch.id = ${slice.id}`}
        and ${slice.beyond ? sql`batch.number < ${slice.beyond}` : sql`true`}
      order by batch.number desc limit ${slice.limit}`.execute(db);
    return rows;
  };
  const readBatch = async (id: string): Promise<CodeBatch | Refusal> => {
    const [row] = await readBatches({ id, limit: 1 });
    return row ? toBatch(row) : refuse('NOT_FOUND');
  };

  /** The codes after the named one, by number. */
  const readCodes = async (id: string, afterId: string | null, limit: number) => {
    const { rows } = await sql<CodeRow>`
      select code.id, code.code, count(used.used_at)::int as uses, max(used.used_at) as last_used_at
      from reward_codes as code left join reward_code_uses as used on used.code_id = code.id
      where code.batch_id = ${id} and ${afterId === null ? sql`true` : sql`code.id < ${afterId}`}
      group by code.id order by code.id desc limit ${limit}`.execute(db);
    return rows;
  };

  return {
    async list(query: PageQuery): Promise<Page<CodeBatch>> {
      const page = await readOlderPage(
        query,
        ({ beyond, limit }) => readBatches({ beyond: beyond?.id ?? null, limit }),
        ({ created_at, number }) => ({ at: created_at, id: number }),
      );
      return { ...page, rows: page.rows.map(toBatch) };
    },

    async create(batch: NewCodeBatch, by: AuditContext): Promise<CodeBatch | Refusal> {
      const id = createId();
      try {
        await retryDeadlocks(db, async (trx) => {
          await insertBatch(trx, id, batch);
          const { code: _code, ...said } = batch;
          await recordAudit(trx, {
            ...by,
            action: 'rewards.create-codes',
            target: targetOf(id),
            after: { ...said, isOwnCode: batch.code !== null },
          });
        });
      } catch (error) {
        if (isTaken(error, 'reward_codes_code_key_key'))
          return refuseTakenValue('NAME_TAKEN', 'body.code', reasons['reward-code-taken']);
        throw error;
      }
      return readBatch(id);
    },

    async switch(
      id: string,
      { version, isEnabled }: { readonly version: number; readonly isEnabled: boolean },
      by: AuditContext,
    ): Promise<CodeBatch | Refusal> {
      const refused = await retryDeadlocks(db, async (trx) => {
        const changed = await trx
          .updateTable('reward_code_batches')
          .set({ is_enabled: isEnabled, version: version + 1 })
          .where('id', '=', id)
          .where('version', '=', version)
          .returning('id')
          .executeTakeFirst();
        if (!changed) return refuse('CONFLICT', reasons['reward-codes-changed']);
        await recordAudit(trx, {
          ...by,
          action: 'rewards.switch-codes',
          target: targetOf(id),
          after: { isEnabled },
        });
        return null;
      });
      const batch = await readBatch(id);
      return 'refused' in batch ? batch : (refused ?? batch);
    },

    /** @param isShown whether the reader may see the codes themselves */
    async codes(id: string, query: PageQuery, isShown: boolean): Promise<Page<RewardCode> | Refusal> {
      const batch = await readBatch(id);
      if ('refused' in batch) return batch;
      const page = await readOlderPage(
        query,
        ({ beyond, limit }) => readCodes(id, beyond?.id ?? null, limit),
        ({ id: codeId }) => ({ at: new Date(batch.createdAt), id: codeId }),
      );
      return { ...page, rows: page.rows.map((row) => toCode(row, isShown)) };
    },

    async export(id: string, by: AuditContext): Promise<Readable | Refusal> {
      const batch = await readBatch(id);
      if ('refused' in batch) return batch;
      await recordAudit(db, { ...by, action: 'rewards.export-codes', target: targetOf(id) });
      return exportCsv((last: CodeRow | undefined) => readCodes(id, last?.id ?? null, rowsPerRead), {
        code: ({ code }) => code,
        points: () => String(batch.points),
        uses: ({ uses }) => String(uses),
        lastUsedAt: ({ last_used_at: at }) => at?.toISOString() ?? null,
      });
    },
  };
};

const insertBatch = async (trx: Trx, id: string, batch: NewCodeBatch): Promise<void> => {
  await trx
    .insertInto('reward_code_batches')
    .values({
      id,
      name: batch.name,
      points: batch.points,
      most_uses: batch.mostUses,
      most_per_member: batch.mostPerMember,
      valid_from: batch.validFrom === null ? null : new Date(batch.validFrom),
      valid_until: batch.validUntil === null ? null : new Date(batch.validUntil),
      games: batch.games,
      server_ids: batch.serverIds,
    })
    .execute();
  const codes =
    batch.code === null
      ? Array.from({ length: batch.count }, () => newTypedCode(codeGroups))
      : [batch.code.toUpperCase()];
  await sql`
    insert into reward_codes (batch_id, code, code_key)
    select ${id}, code, code_key
    from unnest(${codes}::text[], ${codes.map(normalizeTypedCode)}::text[]) as made (code, code_key)`.execute(
    trx,
  );
};

const targetOf = (id: string): string => `code-batch:${id}`;

const toBatch = (row: BatchRow & { readonly codes: number; readonly uses: number }): CodeBatch => ({
  id: row.id,
  version: row.version,
  name: row.name,
  points: Number(row.points),
  mostUses: row.most_uses,
  mostPerMember: row.most_per_member,
  validFrom: row.valid_from?.toISOString() ?? null,
  validUntil: row.valid_until?.toISOString() ?? null,
  games: row.games,
  serverIds: row.server_ids,
  isEnabled: row.is_enabled,
  createdAt: row.created_at.toISOString(),
  codes: row.codes,
  uses: row.uses,
});

const toCode = ({ id, code, uses, last_used_at: at }: CodeRow, isShown: boolean): RewardCode => ({
  id,
  code: isShown ? code : null,
  uses,
  lastUsedAt: at?.toISOString() ?? null,
});
