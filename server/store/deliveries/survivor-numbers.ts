import { type Kysely, sql } from 'kysely';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { SurvivorNumber } from '#contracts/store/deliveries.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** For the servers whose players the actor may see. */
export const readSurvivorNumbers = async (
  db: Kysely<Tables>,
  playerId: string,
  actor: Actor,
): Promise<SurvivorNumber[]> => {
  const rows = await db
    .selectFrom('survivor_numbers')
    .selectAll()
    .where('player_id', '=', playerId)
    .orderBy('server_id')
    .execute();
  return rows
    .filter(({ server_id }) => may(actor, 'players.read', server_id))
    .map(({ server_id, number, source, found_in, set_at }) => ({
      serverId: server_id,
      number,
      source,
      foundIn: found_in,
      setAt: set_at.toISOString(),
    }));
};

/**
 * Sets the number by which one ARK server identifies a player; null forgets it.
 * @returns the member whose deliveries may continue
 */
export const setSurvivorNumber = (
  db: Kysely<Tables>,
  playerId: string,
  { serverId, number }: { readonly serverId: string; readonly number: string | null },
  by: AuditContext,
  terms: {
    readonly source?: 'staff' | 'player';
    /** In the same transaction, before anything is written; a refusal leaves everything unchanged. */
    readonly alongside?: (trx: Kysely<Tables>) => Promise<Refusal | null>;
  } = {},
): Promise<string | Refusal> =>
  retryDeadlocks(db, async (trx) => {
    const server = storableText(serverId, 64);
    const player = await trx
      .selectFrom('players')
      .select('member_id')
      .where('id', '=', playerId)
      // Two who set the number at the same time would both insert it.
      .forNoKeyUpdate()
      .executeTakeFirst();
    const known = await trx
      .selectFrom('game_servers')
      .select('id')
      .where('id', '=', server)
      .executeTakeFirst();
    if (!player || !known) return refuse('NOT_FOUND');
    const refusal = (await terms.alongside?.(trx)) ?? null;
    if (refusal) return refusal;
    const before = await trx
      .deleteFrom('survivor_numbers')
      .where('player_id', '=', playerId)
      .where('server_id', '=', server)
      .returning('number')
      .executeTakeFirst();
    if (number !== null)
      await trx
        .insertInto('survivor_numbers')
        .values({ player_id: playerId, server_id: server, number, source: terms.source ?? 'staff' })
        .execute();
    await sql`
      update deliveries set next_try_at = now() where id in (
        select id from deliveries
        where state = 'waiting' and waits_for = 'survivor-number'
          and member_id in (select id from members where id = ${player.member_id} or merged_into = ${player.member_id})
        order by id for no key update)`.execute(trx);
    await recordAudit(trx, {
      ...by,
      action: 'players.set-survivor-number',
      target: `player:${playerId}`,
      before: before ? { serverId: server, number: before.number } : null,
      after: number === null ? null : { serverId: server, number },
    });
    return player.member_id;
  });
