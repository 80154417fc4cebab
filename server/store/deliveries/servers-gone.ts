import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';

export const noServerFits = sql<boolean>`not exists (
  select from game_servers as server
  where server.archived_at is null and server.game = deliveries.game
    and (cardinality(deliveries.cluster_ids) + cardinality(deliveries.server_ids) = 0
      or server.id = any (deliveries.server_ids) or server.cluster_id = any (deliveries.cluster_ids)))`;

/**
 * Marks deliveries that wait for a player but fit no server in use. Nothing else would look at them before the player joins
 * a server.
 */
export const tellNoServer = (db: Kysely<Tables>): Promise<void> =>
  retryDeadlocks(db, async (trx) => {
    await sql`
      update deliveries set waits_for = 'server', detail = ${reasons['no-server']}, next_try_at = now()
      where id in (
        select id from deliveries
        where state = 'waiting' and waits_for = 'player' and ${noServerFits}
        order by id for no key update)`.execute(trx);
  });
