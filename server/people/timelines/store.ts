import { sql } from 'kysely';
import type { DeliveryCertainty, DeliveryState } from '#contracts/store/deliveries.ts';
import type { OrderSource } from '#contracts/store/orders.ts';
import {
  newestOf,
  type SourceBounds,
  type Subject,
  type TimelineSource,
  toldBy,
  toldById,
} from './timeline-source.ts';

const ordersOf = (owner: 'member_id' | 'receiver_id', { memberIds }: Subject, bounds: SourceBounds) =>
  newestOf(
    {
      table: sql`orders`,
      owner: sql.ref(owner),
      owners: memberIds,
      ownerType: 'bigint',
      at: sql`created_at`,
      id: sql`number`,
    },
    bounds,
  );

/** What they paid for, and what they were given. */
export const orders: TimelineSource = {
  rank: 6,
  kind: 'store',
  newest: (subject, bounds) =>
    subject.seesOrders
      ? sql`${ordersOf('member_id', subject, bounds)} union ${ordersOf('receiver_id', subject, bounds)}`
      : null,
  async tell(db, { memberIds }, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly order_id: string;
      readonly total: string;
      readonly source: OrderSource;
      readonly member_id: string;
      readonly receiver_id: string;
      readonly actor: string;
      readonly actor_name: string | null;
      readonly lines: { readonly name: string; readonly quantity: number }[];
    }>`
      select number as id, orders.id as order_id, total, source, member_id, receiver_id, actor, actor_name, (
          select coalesce(json_agg(json_build_object('name', bought.name, 'quantity', line.quantity) order by line.id), '[]')
          from order_lines as line
          join product_versions as bought
            on bought.product_id = line.product_id and bought.version = line.product_version
          where line.order_id = orders.id
        ) as lines
      from orders where number = any (${ids}::bigint[])
        and (member_id = any (${memberIds}::bigint[]) or receiver_id = any (${memberIds}::bigint[]))`.execute(
      db,
    );
    const other = (id: string) => (memberIds.includes(id) ? null : id);
    return toldById(rows, (row) => ({
      type: 'ordered',
      orderId: row.order_id,
      total: Number(row.total),
      source: row.source,
      lines: row.lines,
      payerId: other(row.member_id),
      receiverId: other(row.receiver_id),
      by: toldBy(row),
    }));
  },
};

export const deliveries: TimelineSource = {
  rank: 7,
  kind: 'store',
  newest: ({ seesOrders, memberIds }, bounds) =>
    seesOrders
      ? newestOf(
          {
            table: sql`deliveries`,
            owner: sql`member_id`,
            owners: memberIds,
            ownerType: 'bigint',
            at: sql`ended_at`,
            id: sql`number`,
            where: sql`ended_at is not null`,
          },
          bounds,
        )
      : null,
  async tell(db, { memberIds }, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly delivery_id: string;
      readonly order_id: string;
      readonly name: string;
      readonly state: DeliveryState;
      readonly certainty: DeliveryCertainty | null;
      readonly server_id: string | null;
    }>`
      select delivery.number as id, delivery.id as delivery_id, delivery.order_id, bought.name, delivery.state,
             delivery.certainty, delivery.server_id
      from deliveries as delivery
      join order_lines as line on line.id = delivery.order_line_id
      join product_versions as bought on bought.product_id = line.product_id and bought.version = line.product_version
      where delivery.member_id = any (${memberIds}::bigint[]) and delivery.number = any (${ids}::bigint[])
        and delivery.ended_at is not null`.execute(db);
    return toldById(rows, (row) => ({
      type: 'delivery',
      deliveryId: row.delivery_id,
      orderId: row.order_id,
      productName: row.name,
      state: row.state,
      certainty: row.certainty,
      serverId: row.server_id,
    }));
  },
};
