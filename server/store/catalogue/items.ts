import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { ProductLine } from '#contracts/store/store.ts';
import { gameOf } from '#games/games.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { ItemFacts } from './line-notes.ts';

export interface StoreItem {
  readonly id: string;
  readonly name: string;
  readonly source: 'shipped' | 'own';
  readonly isConfirmed: boolean;
}

export interface ItemId {
  readonly game: GameId;
  readonly id: string;
}
export interface ItemName extends ItemId {
  readonly name: string;
}
interface SoldLines {
  readonly game: GameId;
  readonly lines: readonly ProductLine[];
}

const keyOf = (game: GameId, id: string): string => `${game} ${id}`;
const targetOf = ({ game, id }: ItemId): string => `item:${game}:${id}`;

/** As the games' adapters list them; read when one is first needed. */
const shippedItems = new Map<GameId, ReadonlyMap<string, FoundItem>>();
const shippedOf = (game: GameId): ReadonlyMap<string, FoundItem> => {
  const { items, itemKey } = gameOf(game).store;
  const known =
    shippedItems.get(game) ??
    new Map(
      items().map((item) => [itemKey(item.id), found({ ...item, source: 'shipped', isConfirmed: true })]),
    );
  shippedItems.set(game, known);
  return known;
};
const isShipped = (game: GameId, id: string): boolean => shippedOf(game).has(gameOf(game).store.itemKey(id));

export const createItems = (db: Kysely<Tables>) => {
  const sellsUnconfirmed = (game: GameId): boolean => gameOf(game).store.provesGifts;

  return {
    /** Best matches first: whole, prefix, then anywhere; each sorted by name. */
    async search({
      game,
      text,
      limit,
    }: {
      readonly game: GameId;
      readonly text: string;
      readonly limit: number;
    }): Promise<{ rows: StoreItem[]; total: number }> {
      const own = await db
        .selectFrom('own_items')
        .leftJoin('item_confirmations as seen', (join) =>
          join.onRef('seen.game', '=', 'own_items.game').onRef('seen.item', '=', 'own_items.id'),
        )
        .select(['own_items.id', 'own_items.name', 'seen.confirmed_at'])
        .where('own_items.game', '=', game)
        .execute();
      const shipped = shippedOf(game);
      const known = [...shipped.values()];
      for (const { id, name, confirmed_at } of own)
        if (!isShipped(game, id)) {
          const isConfirmed = confirmed_at !== null || sellsUnconfirmed(game);
          known.push(found({ id, name, source: 'own', isConfirmed }));
        }
      const matching = bestFirst(known, nameKey(text));
      return { rows: matching.slice(0, limit), total: matching.length };
    },

    /** Adds or renames an item of the community. */
    async add({ game, id, name }: ItemName, by: AuditContext): Promise<StoreItem | Refusal> {
      const fault = gameOf(game).store.itemFault(id, undefined);
      if (fault !== null) return refuse('PRODUCT_INVALID', fault);
      if (isShipped(game, id)) return refuse('PRODUCT_INVALID', reasons['item-listed']);
      return db.transaction().execute(async (trx) => {
        const before = await trx
          .selectFrom('own_items')
          .selectAll()
          .where('game', '=', game)
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        await trx
          .insertInto('own_items')
          .values({ game, id, name })
          .onConflict((conflict) => conflict.columns(['game', 'id']).doUpdateSet({ name }))
          .execute();
        await recordAudit(trx, {
          ...by,
          action: 'store-items.add',
          target: targetOf({ game, id }),
          before,
          after: { game, id, name },
        });
        const isConfirmed = sellsUnconfirmed(game) || (await isSeen(trx, game, id));
        return { id, name, source: 'own', isConfirmed };
      });
    },

    remove: ({ game, id }: ItemId, by: AuditContext): Promise<Record<never, never> | Refusal> =>
      db.transaction().execute(async (trx) => {
        const before = await trx
          .deleteFrom('own_items')
          .where('game', '=', game)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (!before) return refuse('NOT_FOUND');
        await recordAudit(trx, {
          ...by,
          action: 'store-items.remove',
          target: targetOf({ game, id }),
          before,
        });
        return {};
      }),

    /** Stores whether the item of a test delivery was seen in the game. */
    confirm: (
      { deliveryId, isSeen: seen }: { readonly deliveryId: string; readonly isSeen: boolean },
      by: AuditContext,
    ): Promise<{ game: GameId; item: string; isConfirmed: boolean } | Refusal> =>
      db.transaction().execute(async (trx) => {
        const tried = await trx
          .selectFrom('deliveries')
          .innerJoin('orders', 'orders.id', 'deliveries.order_id')
          .select(['deliveries.game', 'deliveries.line'])
          .where('deliveries.id', '=', deliveryId)
          .where('deliveries.state', '=', 'delivered')
          .where('orders.source', '=', 'test')
          .executeTakeFirst();
        if (tried?.line.kind !== 'item') return refuse('NOT_FOUND', reasons['item-not-delivered']);
        const { game } = tried;
        const { item } = tried.line;
        const wasConfirmed = await isSeen(trx, game, item);
        if (seen)
          await trx
            .insertInto('item_confirmations')
            .values({
              game,
              item,
              actor: actorReference(by.actor),
              actor_name: by.actor.name,
              delivery_id: deliveryId,
            })
            .onConflict((conflict) => conflict.columns(['game', 'item']).doNothing())
            .execute();
        else
          await trx
            .deleteFrom('item_confirmations')
            .where('game', '=', game)
            .where('item', '=', item)
            .execute();
        await recordAudit(trx, {
          ...by,
          action: 'store-items.confirm',
          target: targetOf({ game, id: item }),
          before: { isSeen: wasConfirmed },
          after: { deliveryId, isSeen: seen },
        });
        return { game, item, isConfirmed: seen };
      }),
  };
};

/** Facts about the items in these lines. */
export const readItemFacts = async (trx: Kysely<Tables>, sold: readonly SoldLines[]): Promise<ItemFacts> => {
  const ids = sold.flatMap(({ game, lines }) =>
    lines.flatMap((line) => (line.kind === 'item' && !isShipped(game, line.item) ? [line.item] : [])),
  );
  const [own, confirmed] =
    ids.length === 0
      ? [[], []]
      : [
          await trx
            .selectFrom('own_items')
            .select(['game', 'id'])
            .where('id', '=', sql<string>`any (${ids}::text[])`)
            .execute(),
          await trx
            .selectFrom('item_confirmations')
            .select(['game', 'item as id'])
            .where('item', '=', sql<string>`any (${ids}::text[])`)
            .execute(),
        ];
  const owned = new Set(own.map(({ game, id }) => keyOf(game, id)));
  const seen = new Set(confirmed.map(({ game, id }) => keyOf(game, id)));
  return {
    isShipped,
    isOwn: (game, id) => owned.has(keyOf(game, id)),
    isConfirmed: (game, id) => seen.has(keyOf(game, id)),
  };
};

const isSeen = async (db: Kysely<Tables>, game: GameId, item: string): Promise<boolean> =>
  (await db
    .selectFrom('item_confirmations')
    .select('item')
    .where('game', '=', game)
    .where('item', '=', item)
    .executeTakeFirst()) !== undefined;

/** An item with its texts folded for comparison. */
interface FoundItem {
  readonly item: StoreItem;
  readonly keys: readonly string[];
}

const found = (item: StoreItem): FoundItem => ({ item, keys: [nameKey(item.id), nameKey(item.name)] });

const rankOf = ({ keys }: FoundItem, wanted: string): number | null => {
  if (keys.includes(wanted)) return 0;
  if (keys.some((key) => key.startsWith(wanted))) return 1;
  return keys.some((key) => key.includes(wanted)) ? 2 : null;
};

const bestFirst = (items: readonly FoundItem[], wanted: string): StoreItem[] =>
  items
    .flatMap(({ item, keys }) => {
      const rank = rankOf({ item, keys }, wanted);
      return rank === null ? [] : [{ item, rank }];
    })
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        byName.compare(one.item.name, other.item.name) ||
        byName.compare(one.item.id, other.item.id),
    )
    .map(({ item }) => item);

const byName = new Intl.Collator('en');
