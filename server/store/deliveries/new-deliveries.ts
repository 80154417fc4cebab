import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { JobSender } from '../../kernel/queues/job-sender.ts';
import type { NewDelivery } from '../store-terms/new-delivery.ts';

/** The payload of a wake job: whose deliveries may have work. */
export interface DeliveryJob {
  readonly memberId: string;
}

/**
 * Inserts deliveries in the given order with their jobs, which take effect when the transaction commits.
 * @returns their ids, in the same order
 * @throws {Problem} DATABASE_UNAVAILABLE while the queues do not run
 */
export type AddDeliveries = (trx: Kysely<Tables>, rows: readonly NewDelivery[]) => Promise<readonly string[]>;

/** Callers wake the members after the commit; the job covers a wake that was lost. */
const backStopSeconds = 2;

/** Rows per statement: Postgres takes at most 65,535 values. */
const mostRows = 5000;

export const createAddDeliveries =
  (jobs: JobSender): AddDeliveries =>
  async (trx, rows) => {
    const added = rows.map((row) => ({ ...row, id: row.id ?? randomUUID() }));
    for (let start = 0; start < added.length; start += mostRows)
      await trx
        .insertInto('deliveries')
        .values(
          added.slice(start, start + mostRows).map((row) => ({
            id: row.id,
            order_id: row.orderId,
            order_line_id: row.orderLineId,
            member_id: row.memberId,
            game: row.game,
            cluster_ids: [...row.clusterIds],
            server_ids: [...row.serverIds],
            line: JSON.stringify(row.line),
            points: row.points,
            epoch: sql<number>`(select epoch - ${row.isRestored === true ? 1 : 0}::integer from store_state)`,
            expires_at: row.expiresAt,
            approved_by: row.approval?.by ?? null,
            approved_name: row.approval?.name ?? null,
            asking_player_id: row.askedBy?.playerId ?? null,
            asking_server_id: row.askedBy?.serverId ?? null,
          })),
        )
        .execute();
    for (const memberId of new Set(rows.map((row) => row.memberId)))
      await jobs.send(trx, 'delivery-wakes', { memberId } satisfies DeliveryJob, {
        startAfterSeconds: backStopSeconds,
      });
    return added.map(({ id }) => id);
  };
