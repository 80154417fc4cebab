import type pg from 'pg';
import type { Stall } from './chat-market.ts';

/** Everything known about a player's purchases, to find out why one of them is in doubt. */
export interface ChatTrace {
  readonly memberId: string;
  readonly orders: readonly unknown[];
  readonly lines: readonly unknown[];
  readonly whispers: readonly string[];
}

export const traceOf = async (
  pool: pg.Pool,
  stalls: readonly Stall[],
  memberId: string,
): Promise<ChatTrace> => {
  const orders = await pool.query(
    `select orders.id, orders.created_at, line.quantity, orders.total, orders.actor, asked.key
     from orders join order_lines as line on line.order_id = orders.id
     left join order_requests as asked on asked.order_id = orders.id
     where orders.member_id = $1 order by orders.number`,
    [memberId],
  );
  const lines = await pool.query(
    `select event.at, event.server_id, event.payload->>'text' as text from event_logs as event
     join players on players.id::text = event.payload->>'playerId'
     where event.kind = 'chat.message' and players.member_id = $1 order by event.id`,
    [memberId],
  );
  const whispers = stalls.flatMap(({ members, whispers: told }) =>
    [...members].filter(([, id]) => id === memberId).flatMap(([name]) => told(name)),
  );
  return { memberId, orders: orders.rows, lines: lines.rows, whispers };
};
