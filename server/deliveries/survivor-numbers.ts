import { type Kysely, sql } from 'kysely';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { storableText } from '../database/storable-text.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';

/**
 * Sets the number by which one ARK server calls a player; null forgets it.
 * @returns the member whose deliveries may continue
 */
export const setSurvivorNumber = (
  db: Kysely<Tables>,
  playerId: string,
  { serverId, number }: { readonly serverId: string; readonly number: string | null },
  by: AuditContext,
): Promise<string | Refusal> =>
  db.transaction().execute(async (trx) => {
    const server = storableText(serverId, 64);
    const player = await trx
      .selectFrom('players')
      .select('member_id')
      .where('id', '=', playerId)
      .executeTakeFirst();
    const known = await trx
      .selectFrom('game_servers')
      .select('id')
      .where('id', '=', server)
      .executeTakeFirst();
    if (!player || !known) return refuse('NOT_FOUND');
    const before = await trx
      .deleteFrom('survivor_numbers')
      .where('player_id', '=', playerId)
      .where('server_id', '=', server)
      .returning('number')
      .executeTakeFirst();
    if (number !== null)
      await trx
        .insertInto('survivor_numbers')
        .values({ player_id: playerId, server_id: server, number, source: 'staff' })
        .execute();
    await trx
      .updateTable('deliveries')
      .set({ next_try_at: sql<Date>`now()` })
      .where('member_id', '=', player.member_id)
      .where('waits_for', '=', 'survivor-number')
      .where('state', '=', 'waiting')
      .execute();
    await recordAudit(trx, {
      ...by,
      action: 'players.set-survivor-number',
      target: `player:${playerId}`,
      before: before ? { serverId: server, number: before.number } : null,
      after: number === null ? null : { serverId: server, number },
    });
    return player.member_id;
  });
