import { type Kysely, sql } from 'kysely';
import { reasonOf } from '#contracts/kernel/reasons.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type {
  CounterCommandState,
  Delivery,
  DeliveryDetails,
  DeliveryState,
} from '#contracts/store/deliveries.ts';
import type { DeskReason } from '#contracts/store/desk-reasons.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { gameOf } from '#games/games.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { type Refusal, refuse } from '../kernel/http/refusal.ts';
import { decodeLogCursor, encodeLogCursor } from '../kernel/logs/log-cursor.ts';
import type { AttemptRow } from './deliveries/delivery-rows.ts';

interface Page<Row> {
  readonly rows: Row[];
  readonly nextCursor: string | null;
}

interface OpenDeliveries {
  readonly all: number;
  /** How many of these cannot go out before the number of a survivor is known. */
  readonly withoutNumber: number;
}

const longestId = 64;

/** The member who holds the wallet after all merges. */
const memberToday = sql<string>`castellan_member_today(deliveries.member_id)`;

/** The ids of the member and of those who were merged into it. */
const idsOfMember = (db: Kysely<Tables>, memberId: string) =>
  db
    .selectFrom('members')
    .select('id')
    .where((one) => one.or([one('id', '=', memberId), one('merged_into', '=', memberId)]));

const select = (db: Kysely<Tables>) =>
  db
    .selectFrom('deliveries')
    .innerJoin('order_lines as bought', 'bought.id', 'deliveries.order_line_id')
    .innerJoin('product_versions as product', (join) =>
      join
        .onRef('product.product_id', '=', 'bought.product_id')
        .onRef('product.version', '=', 'bought.product_version'),
    )
    .selectAll('deliveries')
    .select([
      'bought.product_id',
      'product.name as product_name',
      memberToday.as('member_today'),
      sql<CounterCommandState | null>`(select counter.state from counter_commands as counter
        where counter.delivery_id = deliveries.id and counter.number = deliveries.attempts)`.as(
        'taking_back',
      ),
      // No `limit 1`: the planner would read all players by `last_seen_at` for it.
      sql<string | null>`(select (array_agg(players.name order by players.last_seen_at desc))[1]
        from players where players.member_id = ${memberToday})`.as('member_name'),
    ]);
type SelectedRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

const withHistory = async (db: Kysely<Tables>, rows: readonly SelectedRow[]): Promise<DeliveryDetails[]> => {
  const attempts =
    rows.length === 0
      ? []
      : await db
          .selectFrom('delivery_attempts')
          .selectAll()
          .where(
            'delivery_id',
            'in',
            rows.map(({ id }) => id),
          )
          .orderBy('number')
          .execute();
  return rows.map((row) => ({
    ...toDelivery(row),
    history: attempts.filter(({ delivery_id }) => delivery_id === row.id).map(toAttempt),
  }));
};

export const readDeliveries = async (
  db: Kysely<Tables>,
  {
    cursor,
    limit,
    state,
    memberId,
    serverId,
    productId,
  }: {
    readonly cursor?: string | undefined;
    readonly limit: number;
    readonly state?: DeliveryState | undefined;
    readonly memberId?: string | undefined;
    readonly serverId?: string | undefined;
    readonly productId?: string | undefined;
  },
): Promise<Page<Delivery>> => {
  let query = select(db);
  if (state) query = query.where('deliveries.state', '=', state);
  if (memberId) query = query.where('deliveries.member_id', 'in', idsOfMember(db, memberId));
  if (serverId) query = query.where('deliveries.server_id', '=', storableText(serverId, longestId));
  if (productId) query = query.where('bought.product_id', '=', storableText(productId, longestId));
  if (cursor !== undefined) {
    const { at, id } = decodeLogCursor(cursor).position;
    query = query.where(sql<boolean>`(deliveries.created_at, deliveries.number) < (${at}, ${id}::bigint)`);
  }
  const rows = await query
    .orderBy('deliveries.created_at', 'desc')
    .orderBy('deliveries.number', 'desc')
    .limit(limit + 1)
    .execute();
  return pageOf(rows, limit, (row) => row.created_at, rows.slice(0, limit).map(toDelivery));
};

export const readDesk = async (
  db: Kysely<Tables>,
  {
    cursor,
    limit,
    reason,
    serverId,
  }: {
    readonly cursor?: string | undefined;
    readonly limit: number;
    readonly reason?: DeskReason | undefined;
    readonly serverId?: string | undefined;
  },
): Promise<Page<DeliveryDetails>> => {
  let query = select(db).where('deliveries.desk_reason', 'is not', null);
  if (reason) query = query.where('deliveries.desk_reason', '=', reason);
  if (serverId) query = query.where('deliveries.server_id', '=', storableText(serverId, longestId));
  if (cursor !== undefined) {
    const { at, id } = decodeLogCursor(cursor).position;
    query = query.where(sql<boolean>`(deliveries.desk_at, deliveries.number) > (${at}, ${id}::bigint)`);
  }
  const rows = await query
    .orderBy('deliveries.desk_at')
    .orderBy('deliveries.number')
    .limit(limit + 1)
    .execute();
  const shown = await withHistory(db, rows.slice(0, limit));
  return pageOf(rows, limit, (row) => row.desk_at ?? row.created_at, shown);
};

export const readDeliveryDetails = async (
  db: Kysely<Tables>,
  id: string,
): Promise<DeliveryDetails | Refusal> => {
  const rows = await select(db).where('deliveries.id', '=', id).execute();
  const [found] = await withHistory(db, rows);
  return found ?? refuse('NOT_FOUND');
};

/** The number of deliveries at the desk. */
export const countDesk = async (db: Kysely<Tables>): Promise<number> => {
  const { waiting } = await db
    .selectFrom('deliveries')
    .select(sql<string>`count(*)`.as('waiting'))
    .where('desk_reason', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(waiting);
};

/** A member's deliveries that may still go out, including those of members who were merged into it. */
export const countOpenDeliveries = async (db: Kysely<Tables>, memberId: string): Promise<OpenDeliveries> => {
  const { all, without_number } = await db
    .selectFrom('deliveries')
    .select([
      sql<string>`count(*)`.as('all'),
      sql<string>`count(*) filter (where waits_for = 'survivor-number')`.as('without_number'),
    ])
    .where('member_id', 'in', idsOfMember(db, memberId))
    .where('state', 'in', ['pending', 'waiting', 'sending'])
    .executeTakeFirstOrThrow();
  return { all: Number(all), withoutNumber: Number(without_number) };
};

/** In the order of purchase. */
export const readDeliveriesOfOrder = async (db: Kysely<Tables>, orderId: string): Promise<Delivery[]> => {
  const rows = await select(db)
    .where('deliveries.order_id', '=', orderId)
    .orderBy('deliveries.number')
    .execute();
  return rows.map(toDelivery);
};

const pageOf = <Shown>(
  rows: readonly SelectedRow[],
  limit: number,
  at: (row: SelectedRow) => Date,
  shown: Shown[],
): Page<Shown> => {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const nextCursor = last
    ? encodeLogCursor({ towards: 'older', position: { at: at(last), id: last.number } })
    : null;
  return { rows: shown, nextCursor };
};

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const toDelivery = (row: SelectedRow): Delivery => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  orderId: row.order_id,
  orderLineId: row.order_line_id,
  productId: row.product_id,
  productName: row.product_name,
  memberId: row.member_today,
  memberName: row.member_name ?? `#${row.member_today}`,
  game: row.game,
  line: maskLine(row.game, row.line),
  points: Number(row.points),
  state: row.state,
  certainty: row.certainty,
  waitsFor: row.waits_for,
  detail: row.detail,
  reason: reasonOf(row.detail),
  serverId: row.server_id,
  way: row.way,
  attempts: row.attempts,
  nextTryAt: row.state === 'pending' || row.state === 'waiting' ? iso(row.next_try_at) : null,
  expiresAt: iso(row.expires_at),
  endedAt: iso(row.ended_at),
  refundedAt: iso(row.refunded_at),
  takingBack: row.taking_back,
  rolledBackAt: iso(row.rolled_back_at),
  doubledAt: iso(row.doubled_at),
  deskReason: row.desk_reason,
  deskAt: iso(row.desk_at),
});

const toAttempt = (row: AttemptRow): DeliveryDetails['history'][number] => ({
  number: row.number,
  serverId: row.server_id,
  way: row.way,
  command: row.command,
  beganAt: row.began_at.toISOString(),
  endedAt: iso(row.ended_at),
  outcome: row.outcome,
  reply: row.reply,
  verdict: row.verdict,
  detail: row.detail,
  reason: reasonOf(row.detail),
  evidence: { ...row.evidence },
});

/** Only the product's editor shows whole commands; readers of deliveries need no passwords. */
const maskLine = (game: GameId, line: DeliveryLine): DeliveryLine => {
  if (line.kind !== 'command') return line;
  const { maskCommand } = gameOf(game);
  return {
    ...line,
    command: maskCommand(line.command),
    ...(line.counterCommand === undefined ? {} : { counterCommand: maskCommand(line.counterCommand) }),
  };
};
