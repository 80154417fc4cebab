import { type Kysely, sql } from 'kysely';
import type * as z from 'zod';
import type { modPin } from '#contracts/mods/mods.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

type Pin = z.output<typeof modPin>;

/** Mods that stay at their version. */
export type ModPins = ReturnType<typeof createModPins>;

export const createModPins = (db: Kysely<Tables>, onChange: (serverId: string) => void) => {
  const refused = async (serverId: string, { actor }: AuditContext): Promise<Refusal | null> => {
    if (!may(actor, 'mods.write', serverId))
      return refuse('FORBIDDEN', 'This needs the permission mods.write for this server.');
    const server = await db
      .selectFrom('game_servers')
      .select('id')
      .where('id', '=', serverId)
      .executeTakeFirst();
    return server ? null : refuse('NOT_FOUND');
  };
  return {
    /** By mod key. */
    async all(serverId: string): Promise<ReadonlyMap<string, Pin>> {
      const rows = await db.selectFrom('mod_pins').selectAll().where('server_id', '=', serverId).execute();
      return new Map(
        rows.map(({ key, reason, until, by_name: byName, at }) => [
          key,
          { reason, until, byName, at: at.toISOString() },
        ]),
      );
    },
    async pin(
      serverId: string,
      key: string,
      { reason, until }: Pick<Pin, 'reason' | 'until'>,
      by: AuditContext,
    ): Promise<Pin | Refusal> {
      const refusal = await refused(serverId, by);
      if (refusal) return refusal;
      const row = { reason, until, by_name: by.actor.name };
      const kept = await db.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto('mod_pins')
          .values({ server_id: serverId, key, ...row })
          .onConflict((conflict) =>
            conflict.columns(['server_id', 'key']).doUpdateSet({ ...row, at: sql<Date>`now()` }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        const target = `server:${serverId}`;
        await recordAudit(trx, { ...by, action: 'mods.pin', target, after: { key, reason, until } });
        return inserted;
      });
      onChange(serverId);
      return { reason, until, byName: kept.by_name, at: kept.at.toISOString() };
    },
    async unpin(serverId: string, key: string, by: AuditContext): Promise<Refusal | null> {
      const refusal = await refused(serverId, by);
      if (refusal) return refusal;
      await db.transaction().execute(async (trx) => {
        const gone = await trx
          .deleteFrom('mod_pins')
          .where('server_id', '=', serverId)
          .where('key', '=', key)
          .returning(['reason', 'until'])
          .executeTakeFirst();
        const target = `server:${serverId}`;
        if (gone) await recordAudit(trx, { ...by, action: 'mods.unpin', target, before: { key, ...gone } });
      });
      onChange(serverId);
      return null;
    },
  };
};
