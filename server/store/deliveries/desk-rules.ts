import { type Kysely, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { DeskRule } from '#contracts/store/deliveries.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Desk } from './desk.ts';

/** Deliveries per round. */
const mostAtOnce = 500;

/** Applies standing decisions to deliveries at the desk. */
export const createDeskRules = (db: Kysely<Tables>, desk: Desk) => {
  const read = async (): Promise<DeskRule[]> => {
    const rows = await db.selectFrom('desk_rules').selectAll().orderBy('id').execute();
    return rows.map((row) => ({
      id: row.id,
      serverId: row.server_id,
      productId: row.product_id,
      decision: row.decision,
      createdAt: row.created_at.toISOString(),
      actorName: row.actor_name,
    }));
  };

  /** One round in the order of ids, so that deliveries left at the desk take no place in the next round. */
  const match = (ids: readonly string[] | undefined, beyondId: string | null) =>
    // The most specific rule wins: product and server, product, server, all.
    db
      .selectFrom('deliveries')
      .innerJoin('order_lines', 'order_lines.id', 'deliveries.order_line_id')
      .innerJoin('desk_rules as rule', (join) =>
        join.on(
          sql<boolean>`(rule.server_id is null or rule.server_id = deliveries.server_id)
            and (rule.product_id is null or rule.product_id = order_lines.product_id)`,
        ),
      )
      .distinctOn('deliveries.id')
      .select(['deliveries.id', 'deliveries.generation', 'rule.decision'])
      .where('deliveries.desk_reason', '=', 'unknown')
      .$if(ids !== undefined, (query) =>
        query.where('deliveries.id', '=', sql<string>`any (${ids ?? []}::uuid[])`),
      )
      .$if(beyondId !== null, (query) => query.where('deliveries.id', '>', beyondId ?? ''))
      .orderBy('deliveries.id')
      .orderBy(sql`rule.product_id is null`)
      .orderBy(sql`rule.server_id is null`)
      .limit(mostAtOnce)
      .execute();

  /** Decides deliveries whose end is unknown: these ids, or all. @returns how many were decided */
  const apply = async (ids?: readonly string[]): Promise<number> => {
    let decided = 0;
    for (let beyondId: string | null = null; ; ) {
      const matched: Awaited<ReturnType<typeof match>> = await match(ids, beyondId);
      for (const { id, generation, decision } of matched) {
        // Only once: otherwise a server that never answers would receive it again and again.
        if (decision === 'send-again' && generation > 1) continue;
        const [done] = await desk.decide([id], decision, { rule: `Rule: ${decision}` });
        if (done?.isDone) decided += 1;
      }
      if (matched.length < mostAtOnce) return decided;
      beyondId = matched.at(-1)?.id ?? null;
    }
  };

  return {
    read,
    apply,
    /** Applies to deliveries already at the desk too. A decision of null removes the rule. */
    async set(
      {
        serverId,
        productId,
        decision,
      }: Pick<DeskRule, 'serverId' | 'productId'> & { readonly decision: DeskRule['decision'] | null },
      by: AuditContext,
    ): Promise<DeskRule[] | Refusal> {
      const server = serverId === null ? null : storableText(serverId, 64);
      const product = productId === null ? null : storableText(productId, 64);
      const refused = await db.transaction().execute(async (trx) => {
        for (const [table, id] of [
          ['game_servers', server],
          ['products', product],
        ] as const) {
          if (id === null) continue;
          const row = await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
          if (!row) return refuse('NOT_FOUND');
        }
        // Two who set the same rule at the same time would both insert it.
        await sql`lock table desk_rules in share row exclusive mode`.execute(trx);
        const before = await trx
          .deleteFrom('desk_rules')
          .where('server_id', 'is not distinct from', server)
          .where('product_id', 'is not distinct from', product)
          .returning('decision')
          .executeTakeFirst();
        if (decision !== null)
          await trx
            .insertInto('desk_rules')
            .values({
              server_id: server,
              product_id: product,
              decision,
              actor: actorReference(by.actor),
              actor_name: by.actor.name,
            })
            .execute();
        await recordAudit(trx, {
          ...by,
          action: 'deliveries.set-rule',
          target: `delivery-rule:${server ?? '*'}/${product ?? '*'}`,
          before: before ?? null,
          after: decision === null ? null : { decision },
        });
        return null;
      });
      if (refused) return refused;
      if (decision !== null) await apply();
      return read();
    },
  };
};
