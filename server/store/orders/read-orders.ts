import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import type { Order, OrderSource } from '#contracts/store/orders.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { decodeLogCursor, encodeLogCursor } from '../../kernel/logs/log-cursor.ts';

export interface OrderQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** Payer or receiver, including members merged into them. */
  readonly memberId?: string | undefined;
  readonly productId?: string | undefined;
}

/** Names of members by id. */
export type MemberNames = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface StoredOrder {
  readonly id: string;
  readonly number: string;
  readonly created_at: Date;
  readonly member_id: string;
  readonly receiver_id: string;
  readonly total: string;
  readonly source: OrderSource;
  readonly actor_name: string | null;
  readonly discount_name: string | null;
}

const columns = sql.raw(
  'id, number, created_at, member_id, receiver_id, total, source, actor_name, discount_name',
);

/** One page, newest first. */
export const readOrders = async (
  db: Kysely<Tables>,
  { cursor, limit, memberId, productId }: OrderQuery,
  memberNames: MemberNames,
): Promise<{ rows: Order[]; nextCursor: string | null }> => {
  const beyond = cursor === undefined ? null : decodeLogCursor(cursor).position.id;
  const conditions = sql.join(
    [
      beyond === null ? sql`true` : sql`number < ${beyond}`,
      productId === undefined ? sql`true` : holdsProduct(productId),
    ],
    sql` and `,
  );
  const page = { conditions, limit: limit + 1 };
  const source =
    memberId === undefined
      ? newest(sql`true`, page)
      : sql`
          (select everyone.* from members as owner cross join lateral (
             ${newest(sql`member_id = owner.id`, page)}
             union ${newest(sql`receiver_id = owner.id`, page)}
           ) as everyone
           where owner.id = castellan_member_today(${memberId})
             or owner.merged_into = castellan_member_today(${memberId}))`;
  const { rows } = await sql<StoredOrder>`
    select distinct ${columns} from (${source}) as found order by number desc limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: await present(db, shown, memberNames),
    nextCursor:
      last && rows.length > limit
        ? encodeLogCursor({ towards: 'older', position: { at: last.created_at, id: last.number } })
        : null,
  };
};

export const readOrder = async (
  db: Kysely<Tables>,
  id: string,
  memberNames: MemberNames,
): Promise<Order | undefined> => {
  const { rows } = await sql<StoredOrder>`select ${columns} from orders where id = ${id}`.execute(db);
  return (await present(db, rows, memberNames))[0];
};

const newest = (
  whose: RawBuilder<unknown>,
  { conditions, limit }: { readonly conditions: RawBuilder<unknown>; readonly limit: number },
): RawBuilder<unknown> =>
  sql`(select ${columns} from orders where ${whose} and ${conditions} order by number desc limit ${limit})`;

const holdsProduct = (productId: string): RawBuilder<unknown> => sql`exists (
  select from order_lines where order_lines.order_id = orders.id and order_lines.product_id = ${productId})`;

interface StoredLine {
  readonly id: string;
  readonly order_id: string;
  readonly product_id: string;
  readonly product_version: number;
  readonly name: string;
  readonly game: GameId;
  readonly quantity: number;
  readonly unit_price: string;
  readonly oversold: number;
  readonly refunded: string;
  readonly deliveries: string;
  readonly arrived: string;
  readonly is_open: boolean;
  readonly needs_person: boolean;
}

/** The lines of these orders with the state of their deliveries. */
const readLines = async (db: Kysely<Tables>, orderIds: readonly string[]): Promise<readonly StoredLine[]> => {
  const { rows } = await sql<StoredLine>`
    select line.id, line.order_id, line.product_id, line.product_version, bought.name, bought.game,
           line.quantity, line.unit_price, line.oversold, progress.*
    from order_lines as line
    join product_versions as bought
      on bought.product_id = line.product_id and bought.version = line.product_version
    cross join lateral (
      select coalesce(sum(points) filter (where refunded_at is not null), 0) as refunded,
             count(*) as deliveries,
             count(*) filter (where state = 'delivered' and refunded_at is null) as arrived,
             coalesce(bool_or(state in ('pending', 'waiting', 'sending')), false) as is_open,
             coalesce(bool_or(desk_reason is not null), false) as needs_person
      from deliveries where order_line_id = line.id
    ) as progress
    where line.order_id = any (${orderIds}::text[])
    order by line.id`.execute(db);
  return rows;
};

const progressOf = (lines: readonly StoredLine[]): Order['progress'] => {
  if (lines.some(({ needs_person }) => needs_person)) return 'attention';
  if (lines.some(({ is_open }) => is_open)) return 'open';
  if (lines.every(({ arrived, deliveries }) => arrived === deliveries)) return 'done';
  return lines.every(({ arrived }) => arrived === '0') ? 'undone' : 'partly';
};

const present = async (
  db: Kysely<Tables>,
  orders: readonly StoredOrder[],
  memberNames: MemberNames,
): Promise<Order[]> => {
  if (orders.length === 0) return [];
  const ids = orders.map(({ id }) => id);
  const byOrder = Map.groupBy(await readLines(db, ids), ({ order_id }) => order_id);
  const members = new Set(orders.flatMap(({ member_id, receiver_id }) => [member_id, receiver_id]));
  const names = await memberNames([...members]);
  return orders.map((order) => {
    const lines = byOrder.get(order.id) ?? [];
    return {
      id: order.id,
      createdAt: order.created_at.toISOString(),
      memberId: order.member_id,
      memberName: names.get(order.member_id) ?? '',
      receiverId: order.receiver_id,
      receiverName: names.get(order.receiver_id) ?? '',
      source: order.source,
      actorName: order.actor_name,
      total: Number(order.total),
      refunded: lines.reduce((sum, { refunded }) => sum + Number(refunded), 0),
      discountName: order.discount_name,
      progress: progressOf(lines),
      lines: lines.map((line) => ({
        id: line.id,
        productId: line.product_id,
        productVersion: line.product_version,
        name: line.name,
        game: line.game,
        quantity: line.quantity,
        unitPrice: Number(line.unit_price),
        paid: line.quantity * Number(line.unit_price),
        refunded: Number(line.refunded),
        oversold: line.oversold,
      })),
    };
  });
};
