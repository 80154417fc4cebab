import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { StoreContext } from '../store-context.ts';

/** The payload of a wake job: whose deliveries may have work. */
export interface DeliveryJob {
  readonly memberId: string;
}

/** A player who asks in the chat of a server. */
export interface AskingPlayer {
  readonly playerId: string;
  readonly serverId: string;
}

/** A delivery to add, of a new order or of a daily kit. */
export interface NewDelivery {
  readonly orderId: string;
  readonly orderLineId: string;
  /** The receiver. */
  readonly memberId: string;
  readonly game: GameId;
  /** Servers in any of these clusters, or any of these servers; both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  /** An item line holds at most what the game gives at once. */
  readonly line: DeliveryLine;
  /** Who answers for its command. */
  readonly approval?: { readonly by: string; readonly name: string | null } | null;
  /** Its share of the payment. */
  readonly points: number;
  readonly expiresAt: Date | null;
  /** Who bought it by chat, and on which server: this player comes before the receiver's others. */
  readonly askedBy?: AskingPlayer | null;
  /** Set when the same delivery may be created again, as after a restore of the database; otherwise it gets a new one. */
  readonly id?: string;
  /** It may have been sent under this id before the database was restored: the game's record or a person decides whether to send it again. */
  readonly isRestored?: boolean;
}

/** Callers wake the members after the commit; the job covers a wake that was lost. */
const backStopSeconds = 2;

/** Rows per statement: Postgres takes at most 65,535 values. */
const mostRows = 5000;

/**
 * Inserts deliveries in the given order with their jobs, which take effect when the transaction commits.
 * @returns their ids, in the same order
 * @throws {Problem} DATABASE_UNAVAILABLE while the queues do not run
 */
export const addDeliveries = async (
  { jobs }: Pick<StoreContext, 'jobs'>,
  trx: Kysely<Tables>,
  rows: readonly NewDelivery[],
): Promise<readonly string[]> => {
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
