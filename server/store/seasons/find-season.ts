import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { SeasonBalances, SeasonPlan, SeasonPreview } from '#contracts/store/seasons.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse, refuseField } from '../../kernel/http/refusal.ts';
import type { SoldPart } from '../catalogue/sold-product.ts';
import { mostPiecesOf } from '../orders/order-checks.ts';
import { readSold } from '../sold-products.ts';
import type { StoreContext } from '../store-context.ts';
import { hasSeasonSince } from '../wiped-away.ts';

interface ScopeServer {
  readonly id: string;
  readonly name: string;
  readonly clusterId: string;
}

interface FoundRegrant {
  readonly memberId: string;
  readonly productId: string;
  readonly quantity: number;
}

/** A regrant, or the part of it that fits one order. */
interface RegrantPart extends FoundRegrant {
  readonly part: number;
}

/** Everything that a season would do, found at one moment. */
export interface FoundSeason {
  readonly servers: readonly ScopeServer[];
  /** Null: every server of the game. */
  readonly scopeServerIds: readonly string[] | null;
  readonly regrants: readonly RegrantPart[];
  readonly balances: readonly { readonly memberId: string; readonly taken: number }[];
  readonly limitProductIds: readonly string[];
  readonly preview: SeasonPreview;
}

/** Reads everything from one snapshot, which the caller's transaction keeps. */
export const findSeason = async (
  context: Pick<StoreContext, 'roleFaults' | 'now'>,
  trx: Kysely<Tables>,
  plan: SeasonPlan,
): Promise<FoundSeason | Refusal> => {
  const now = new Date(context.now());
  if (plan.wipedAt !== null && new Date(plan.wipedAt) > now)
    return refuseField('body.wipedAt', reasons['season-wiped-later']);
  const servers = await readScope(trx, plan);
  if (servers.length === 0) return refuse('CONFLICT', reasons['season-no-server']);
  const isWhole = plan.clusterIds.length + plan.serverIds.length === 0;
  const scopeServerIds = isWhole ? null : servers.map(({ id }) => id);

  const offered = await readProducts(trx, plan.game);
  const restored = offered.filter(({ isRestored }) => isRestored);
  const had = await readGiven(trx, plan, scopeServerIds);
  const products = new Map(
    (
      await readSold(
        context,
        trx,
        restored.map(({ id }) => id),
        now,
      )
    ).map((one) => [one.id, one]),
  );
  const hindranceOf = (productId: string) => {
    const product = products.get(productId);
    if (!product) return reasons['no-such-product'];
    if (product.notGivable !== null) return product.notGivable;
    if (product.parts.some(({ lines }) => lines.some(({ lasts }) => lasts !== undefined)))
      return reasons['lasting-not-again'];
    if (mostPiecesOf(product) === 0) return reasons['piece-too-large'];
    return serversOf(product, servers).length === 0 ? reasons['no-server'] : null;
  };
  const inParts = (regrant: FoundRegrant): readonly RegrantPart[] => {
    const product = products.get(regrant.productId);
    return product ? splitRegrant(regrant, mostPiecesOf(product)) : [];
  };
  const regrants = had.filter(({ productId }) => hindranceOf(productId) === null);
  const balances = await readBalances(trx, plan, servers);
  const inScope = offered.filter(
    (product) => !product.isArchived && serversOf({ parts: [product] }, servers).length > 0,
  );
  const limits = inScope
    .filter(({ isLimited }) => isLimited)
    .map(({ id, name }) => ({ productId: id, name, isReset: plan.limitProductIds.includes(id) }));
  const open = await readOpen(trx, plan.game, servers, isWhole);

  const decided = {
    plan,
    servers: servers.map(({ id }) => id),
    restored: restored.map(({ id, version, most }) => ({ id, version, most, hindrance: hindranceOf(id) })),
    limits: limits.map(({ productId, isReset }) => ({ productId, isReset })),
  };
  return {
    servers,
    scopeServerIds,
    regrants: regrants.flatMap(inParts),
    balances,
    limitProductIds: limits.filter(({ isReset }) => isReset).map(({ productId }) => productId),
    preview: {
      digest: createHash('sha256').update(JSON.stringify(decided)).digest('base64url'),
      servers: servers.map(({ id, name }) => ({ id, name })),
      regrants: [...Map.groupBy(had, ({ productId }) => productId)].map(([productId, rows]) => {
        const hindrance = hindranceOf(productId);
        return {
          productId,
          name: rows[0]?.name ?? '',
          most: rows[0]?.most ?? null,
          members: rows.length,
          pieces: rows.reduce((sum, { quantity }) => sum + quantity, 0),
          hindrance,
          reason: reasonOf(hindrance),
        };
      }),
      balances: {
        members: balances.length,
        before: balances.reduce((sum, { before }) => sum + before, 0),
        taken: balances.reduce((sum, { taken }) => sum + taken, 0),
      },
      products: inScope
        .filter(({ hasItems }) => hasItems)
        .map(({ id, name, isRestored }) => ({ productId: id, name, isRestored })),
      limits,
      open: { deliveries: open.length, members: new Set(open.map(({ member_id }) => member_id)).size },
    },
  };
};

const splitRegrant = (regrant: FoundRegrant, most: number): readonly RegrantPart[] =>
  Array.from({ length: Math.ceil(regrant.quantity / most) }, (_, index) => ({
    ...regrant,
    part: index + 1,
    quantity: Math.min(most, regrant.quantity - index * most),
  }));

/** The servers on which the whole product can be given. */
export const serversOf = (
  { parts }: { readonly parts: readonly Pick<SoldPart, 'clusterIds' | 'serverIds'>[] },
  servers: readonly ScopeServer[],
): readonly string[] =>
  servers
    .filter(({ id, clusterId }) =>
      parts.every(
        ({ clusterIds, serverIds }) =>
          clusterIds.length + serverIds.length === 0 ||
          serverIds.includes(id) ||
          clusterIds.includes(clusterId),
      ),
    )
    .map(({ id }) => id);

/** Servers in use; chosen servers that are no longer in use are left out. */
const readScope = async (
  trx: Kysely<Tables>,
  { game, clusterIds, serverIds }: Pick<SeasonPlan, 'game' | 'clusterIds' | 'serverIds'>,
): Promise<readonly ScopeServer[]> =>
  trx
    .selectFrom('game_servers')
    .select(['id', 'name', 'cluster_id as clusterId'])
    .where('game', '=', game)
    .where('archived_at', 'is', null)
    .$if(clusterIds.length + serverIds.length > 0, (query) =>
      query.where(
        sql<boolean>`(id = any (${[...serverIds]}::text[]) or cluster_id = any (${[...clusterIds]}::text[]))`,
      ),
    )
    .orderBy('name_key')
    .orderBy('id')
    .execute();

/**
 * By member and product: pieces that arrived on these servers since their last season, for products that are given again. Of
 * a line, only pieces that arrived completely, in each of its positions, count. What is open is delivered after the wipe. A
 * member is given no more than their purchases that still count: what an earlier season gave for one that was refunded since
 * is not given again.
 */
const readGiven = async (
  trx: Kysely<Tables>,
  { game, wipedAt }: SeasonPlan,
  scopeServerIds: readonly string[] | null,
): Promise<readonly (FoundRegrant & { readonly name: string; readonly most: number | null })[]> => {
  // As a text the database would refuse the year 0, which a moment may have.
  const wiped = wipedAt === null ? null : new Date(wipedAt);
  const hasArrived = sql`
    given.state = 'delivered' and given.refunded_at is null
      and (${scopeServerIds === null} or given.server_id = any (${scopeServerIds ?? []}::text[]))
      and (${wiped}::timestamptz is null or given.ended_at < ${wiped}::timestamptz)
      and not ${hasSeasonSince('given')}`;
  const { rows } = await sql<{
    member_id: string;
    product_id: string;
    name: string;
    most: number | null;
    pieces: string;
  }>`
    select today.id as member_id, products.id as product_id, sold.name, products.regrant_most as most,
           least(sum(share.pieces), sum(share.standing) filter (where placed.source <> 'season'),
             products.regrant_most) as pieces
    from products
    join product_versions as sold on sold.product_id = products.id and sold.version = products.version
    join order_lines as line on line.product_id = products.id and line.undone_at is null
    join orders as placed on placed.id = line.order_id
    join members as receiver on receiver.id = line.receiver_id
    join members as today on today.id = coalesce(receiver.merged_into, receiver.id) and today.erased_at is null
    cross join lateral (
      select min(floor(line.quantity * arrived / planned)) as pieces, min(floor(line.quantity * stands / planned)) as standing
      from (
        select sum((given.line ->> 'quantity')::bigint) as planned,
               coalesce(sum((given.line ->> 'quantity')::bigint)
                 filter (where given.state = 'delivered' and given.refunded_at is null), 0) as stands,
               coalesce(sum((given.line ->> 'quantity')::bigint) filter (where ${hasArrived}), 0) as arrived
        from deliveries as given
        where given.order_line_id = line.id and given.line ->> 'kind' <> 'role' and not given.line ? 'lasts'
        group by given.line ->> 'position') as positions) as share
    where products.on_wipe = 'regrant' and sold.game = ${game} and share.standing > 0
    group by today.id, products.id, sold.name, products.regrant_most
    having sum(share.pieces) > 0 and sum(share.standing) filter (where placed.source <> 'season') > 0
    order by sold.name, products.id, today.id`.execute(trx);
  return rows.map(({ member_id, product_id, name, most, pieces }) => ({
    memberId: member_id,
    productId: product_id,
    name,
    most,
    quantity: Number(pieces),
  }));
};

const takenBy = (balances: Exclude<SeasonBalances, { kind: 'none' }>) =>
  balances.kind === 'cap'
    ? sql`greatest(0, wallets.balance - ${balances.most}::bigint)`
    : sql`wallets.balance - wallets.balance * ${balances.percent}::bigint / 100`;

const readBalances = async (
  trx: Kysely<Tables>,
  { balances }: SeasonPlan,
  servers: readonly ScopeServer[],
): Promise<readonly { readonly memberId: string; readonly before: number; readonly taken: number }[]> => {
  if (balances.kind === 'none') return [];
  const { rows } = await sql<{ member_id: string; before: string; taken: string }>`
    select * from (
      select wallets.member_id, wallets.balance as before, ${takenBy(balances)} as taken
      from wallets join members on members.id = wallets.member_id
      where members.merged_into is null and members.erased_at is null and wallets.balance > 0
        and (${balances.whose === 'everyone'} or exists (
          select from players join player_sessions on player_sessions.player_id = players.id
          where players.member_id = members.id
            and player_sessions.server_id = any (${servers.map(({ id }) => id)}::text[])))) as wallet
    where taken > 0 order by member_id`.execute(trx);
  return rows.map((row) => ({
    memberId: row.member_id,
    before: Number(row.before),
    taken: Number(row.taken),
  }));
};

/** Products of a game: those that a season restores, and those in use. */
const readProducts = async (trx: Kysely<Tables>, game: GameId) => {
  const { rows } = await sql<{
    id: string;
    version: number;
    name: string;
    clusterIds: string[];
    serverIds: string[];
    most: number | null;
    isRestored: boolean;
    isArchived: boolean;
    isLimited: boolean;
    hasItems: boolean;
  }>`
    select products.id, products.version, sold.name, sold.cluster_ids as "clusterIds", sold.server_ids as "serverIds",
           products.regrant_most as most, products.on_wipe = 'regrant' as "isRestored",
           products.archived_at is not null as "isArchived",
           sold.limits ?| array['perMember', 'perPeriod', 'cooldownSeconds'] as "isLimited",
           sold.lines @? '$[*] ? (@.kind != "role" && !exists(@.lasts))' as "hasItems"
    from products
    join product_versions as sold on sold.product_id = products.id and sold.version = products.version
    where sold.game = ${game} and (products.on_wipe = 'regrant' or products.archived_at is null)
    order by sold.name_key, products.id`.execute(trx);
  return rows;
};

/** Deliveries that may still go to one of these servers. */
const readOpen = async (
  trx: Kysely<Tables>,
  game: GameId,
  servers: readonly ScopeServer[],
  isWhole: boolean,
): Promise<readonly { readonly id: string; readonly member_id: string }[]> => {
  const ids = servers.map(({ id }) => id);
  const clusterIds = [...new Set(servers.map(({ clusterId }) => clusterId))];
  const { rows } = await sql<{ id: string; member_id: string }>`
    select id, member_id from deliveries
    where state in ('pending', 'waiting', 'sending') and game = ${game} and line ->> 'kind' <> 'role'
      and (${isWhole} or cardinality(cluster_ids) + cardinality(server_ids) = 0
        or server_ids && ${ids}::text[] or cluster_ids && ${clusterIds}::text[])
    order by number`.execute(trx);
  return rows;
};
