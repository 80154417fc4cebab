import type { Product } from '#contracts/store/store.ts';
import type { Shop, ShopFields } from '#contracts/storefronts/shops.ts';
import type { ShopsOfATest } from './shops-of-a-test.ts';

export const vip = { product: 'vip', quantity: 1 };

/** What test shops sell: `vip` is a diamond, `gold` two pieces of gold, and `shirt` nothing in a game. */
export interface ProductsOfAShop {
  readonly diamonds: Product;
  readonly gold: Product;
  newShop(kind?: Shop['kind'], fields?: Partial<ShopFields>): Promise<Shop>;
  someone(): Promise<{
    readonly receiver: { readonly game: 'minecraft'; readonly platformId: string };
    readonly memberId: string;
  }>;
  /** Deliveries of an order that are neither refunded nor cancelled. */
  held(externalId: string): Promise<readonly string[]>;
  undone(externalId: string): Promise<readonly string[]>;
}

export const productsOfAShop = async (play: ShopsOfATest): Promise<ProductsOfAShop> => {
  const diamonds = await play.store.newProduct();
  const gold = await play.store.newProduct({
    name: 'Gold',
    lines: [{ kind: 'item', item: 'minecraft:gold_ingot', quantity: 1 }],
  });
  const isUndone = ({ state, refunded }: { readonly state: string; readonly refunded: boolean }) =>
    refunded || state === 'cancelled';
  return {
    diamonds,
    gold,
    newShop: (kind = 'generic', fields = {}) =>
      play.newShop(kind, fields, [
        { key: 'vip', productId: diamonds.id, quantity: 1 },
        { key: 'gold', productId: gold.id, quantity: 2 },
        { key: 'shirt', productId: null, quantity: 1 },
      ]),
    async someone() {
      const { platformId, memberId } = await play.newPlayer();
      return { receiver: { game: 'minecraft', platformId }, memberId };
    },
    held: async (externalId) =>
      (await play.deliveries(externalId)).filter((one) => !isUndone(one)).map(({ item }) => item),
    undone: async (externalId) =>
      (await play.deliveries(externalId)).filter(isUndone).map(({ item }) => item),
  };
};
