import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { RewardRule, RewardRuleDraft } from '#contracts/store/rewards.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse, refuseField } from '../../kernel/http/refusal.ts';

type Trx = Kysely<Tables>;
type Row = Selectable<Tables['reward_rules']>;

/** @param now the clock that sessions are written by */
export const createRewardRules = (db: Kysely<Tables>, now: () => Date) => {
  /**
   * Ends the open version, and those that a clock running ahead left reaching into the future: a version that begins there
   * ends where it began. @returns when the next one begins
   */
  const close = async (trx: Trx, ruleId: string): Promise<Date> => {
    const at = now();
    await sql`
      update reward_rule_versions set effective_until = greatest(effective_from, ${at}::timestamptz)
      where rule_id = ${ruleId} and (effective_until is null or effective_until > ${at})
        and (effective_until is null or effective_until > effective_from)`.execute(trx);
    return at;
  };

  const open = async (trx: Trx, rule: Row, from: Date): Promise<void> => {
    await trx
      .insertInto('reward_rule_versions')
      .values({
        rule_id: rule.id,
        version: rule.version,
        name: rule.name,
        kind: rule.terms.kind,
        terms: JSON.stringify(rule.terms),
        effective_from: from,
        effective_until: null,
      })
      .execute();
  };

  /** Locks a rule in use at the version that the caller has seen. */
  const hold = async (trx: Trx, id: string, version: number): Promise<Row | Refusal> => {
    const row = await trx
      .selectFrom('reward_rules')
      .selectAll()
      .where('id', '=', id)
      .where('archived_at', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return refuse('NOT_FOUND');
    return row.version === version ? row : refuse('CONFLICT', reasons['reward-rule-changed']);
  };

  return {
    async list(): Promise<RewardRule[]> {
      const rows = await db
        .selectFrom('reward_rules')
        .selectAll()
        .where('archived_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(toRule);
    },

    create: ({ name, isEnabled, terms }: RewardRuleDraft, by: AuditContext): Promise<RewardRule> =>
      retryDeadlocks(db, async (trx) => {
        const made = await trx
          .insertInto('reward_rules')
          .values({ id: createId(), name, is_enabled: isEnabled, terms: JSON.stringify(terms) })
          .returningAll()
          .executeTakeFirstOrThrow();
        if (isEnabled) await open(trx, made, now());
        await recordAudit(trx, {
          ...by,
          action: 'rewards.create-rule',
          target: targetOf(made.id),
          after: draftOf(made),
        });
        return toRule(made);
      }),

    change: (
      id: string,
      { version, name, isEnabled, terms }: RewardRuleDraft & { readonly version: number },
      by: AuditContext,
    ): Promise<RewardRule | Refusal> =>
      retryDeadlocks(db, async (trx): Promise<RewardRule | Refusal> => {
        const row = await hold(trx, id, version);
        if ('refused' in row) return row;
        if (row.terms.kind !== terms.kind) return refuseField('body.terms.kind', reasons['reward-rule-kind']);
        const made = await trx
          .updateTable('reward_rules')
          .set({ name, is_enabled: isEnabled, terms: JSON.stringify(terms), version: version + 1 })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const isSame =
          row.is_enabled === isEnabled && JSON.stringify(row.terms) === JSON.stringify(made.terms);
        if (!isSame) {
          const from = await close(trx, id);
          if (isEnabled) await open(trx, made, from);
        } else
          await trx
            .updateTable('reward_rule_versions')
            .set({ name })
            .where('rule_id', '=', id)
            .where('effective_until', 'is', null)
            .execute();
        await recordAudit(trx, {
          ...by,
          action: 'rewards.change-rule',
          target: targetOf(id),
          before: draftOf(row),
          after: draftOf(made),
        });
        return toRule(made);
      }),

    archive: (id: string, version: number, by: AuditContext): Promise<Refusal | null> =>
      retryDeadlocks(db, async (trx) => {
        const row = await hold(trx, id, version);
        if ('refused' in row) return row;
        await close(trx, id);
        await trx
          .updateTable('reward_rules')
          .set({ archived_at: sql<Date>`now()`, is_enabled: false, version: version + 1 })
          .where('id', '=', id)
          .execute();
        await recordAudit(trx, {
          ...by,
          action: 'rewards.archive-rule',
          target: targetOf(id),
          before: draftOf(row),
        });
        return null;
      }),
  };
};

const targetOf = (id: string): string => `reward-rule:${id}`;
const draftOf = ({ name, is_enabled: isEnabled, terms }: Row): RewardRuleDraft => ({
  name,
  isEnabled,
  terms,
});
const toRule = (row: Row): RewardRule => ({
  ...draftOf(row),
  id: row.id,
  version: row.version,
  createdAt: row.created_at.toISOString(),
});
