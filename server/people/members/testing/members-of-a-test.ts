import type { AuditContext } from '../../../kernel/access/audit-context.ts';
import {
  type FeatureApi,
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
  testOwner,
} from '../../../kernel/testing/feature-api.ts';
import { bindPointsRoutes } from '../../../store/points/points.routes.ts';
import { createPoints, type Points } from '../../../store/points/points.ts';
import { bindMembersRoutes } from '../members.routes.ts';
import { createMembers, type Members } from '../members.ts';

export const byOwner: AuditContext = { actor: testOwner, address: '127.0.0.1' };

export interface MembersOfATest extends AsyncDisposable {
  readonly database: MigratedDatabase;
  readonly api: FeatureApi;
  readonly members: Members;
  readonly points: Points;
  /** Ids of erased players. */
  readonly forgotten: readonly string[];
  readonly clock: { move(ms: number): void };
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Reports a player as seen. @returns ids of the player and its member */
  see(name: string, platformId?: string | null): Promise<{ playerId: string; memberId: string }>;
  /** The member of a new player, with this many points. */
  member(points?: number): Promise<string>;
  balance(memberId: string): Promise<number>;
  /** Inserts a product, an order of it and a delivery in this state. @returns the delivery's id */
  deliver(memberId: string, state: string): Promise<string>;
  /** Pays this many points for a delivery that waits. @returns its id */
  buy(memberId: string, points: number): Promise<string>;
  /** Refunds like an operator or the store. */
  refund(deliveryId: string): Promise<unknown>;
}

type Query = MembersOfATest['query'];

/** Inserts a product, an order of it and a delivery in this state. @returns the delivery's id */
export const insertDelivery = async (query: Query, memberId: string, state: string): Promise<string> => {
  await query(`insert into products (id) values ('p') on conflict do nothing`);
  await query(
    `insert into product_versions (product_id, version, name, name_key, description, category, price, game, lines)
     values ('p', 1, 'P', 'p', '', '', 0, 'minecraft', '[]') on conflict do nothing`,
  );
  const [row] = await query<{ id: string }>(
    `with placed as (
       insert into orders (id, member_id, receiver_id, total, source, actor)
       values (gen_random_uuid(), $1, $1, 0, 'panel', 'test') returning id
     ), line as (
       insert into order_lines (order_id, product_id, product_version, receiver_id, quantity, unit_price)
       select id, 'p', 1, $1, 1, 0 from placed returning id, order_id
     )
     insert into deliveries (order_id, order_line_id, member_id, game, cluster_ids, server_ids, line, points, epoch,
       state, waits_for, certainty, detail)
     select order_id, id, $1, 'minecraft', '{}', '{}', '{}', 0, 1, $2, case when $2 = 'waiting' then 'player' end,
       case when $2 = 'delivered' then 'proven' end, 'Ann is not online' from line returning id`,
    [memberId, state],
  );
  return row?.id ?? '';
};

let seen = 0;

export const membersOfATest = async (): Promise<MembersOfATest> => {
  const database = await migratedDatabase();
  const { db, pool } = database;
  const forgotten: string[] = [];
  let nowMs = 1_000_000;
  const members = createMembers({
    db,
    forgetPlayers: (playerIds) => void forgotten.push(...playerIds),
    now: () => nowMs,
  });
  const points = createPoints({ db, members });
  const api = await serveFeature((routes) => {
    bindMembersRoutes(routes, members);
    bindPointsRoutes(routes, points);
  });
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, [...values])).rows as Row[];

  const see: MembersOfATest['see'] = async (name, platformId = `steam:${name}`) => {
    const [row] = await query<{ id: string }>(
      `insert into players (identity, platform_id, game, name, name_key)
       values ($1, $2, 'minecraft', $3, lower($3)) returning id`,
      [platformId ?? `name:minecraft:${name}`, platformId, name],
    );
    await query('insert into player_names (player_id, name, name_key) values ($1, $2, lower($2))', [
      row?.id,
      name,
    ]);
    const [player] = await query<{ member_id: string }>('select member_id from players where id = $1', [
      row?.id,
    ]);
    return { playerId: row?.id ?? '', memberId: player?.member_id ?? '' };
  };

  return {
    database,
    api,
    members,
    points,
    forgotten,
    clock: {
      move(ms) {
        nowMs += ms;
      },
    },
    query,
    see,
    async member(amount = 0) {
      seen += 1;
      const { memberId } = await see(`Player ${seen}`);
      if (amount > 0) await points.grant(memberId, { kind: 'grant', points: amount, note: '' }, byOwner);
      return memberId;
    },
    async balance(memberId) {
      const [row] = await query<{ balance: string }>('select balance from wallets where member_id = $1', [
        memberId,
      ]);
      return Number(row?.balance);
    },
    deliver: (memberId, state) => insertDelivery(query, memberId, state),
    async buy(memberId, amount) {
      const id = await insertDelivery(query, memberId, 'waiting');
      await query(
        `with bought as (update deliveries set points = $2 where id = $1 returning order_id)
         insert into ledger (kind, from_account, from_member, to_account, amount, order_id, actor)
         select 'purchase', 'wallet', $3, 'sales', $2, order_id, 'test' from bought`,
        [id, amount, memberId],
      );
      return id;
    },
    refund: (deliveryId) =>
      query(`select castellan_cancel_delivery($1, 'by a test', 'test', null)`, [deliveryId]),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
};
