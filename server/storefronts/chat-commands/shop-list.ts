import type { Product } from '#contracts/store/store.ts';
import { gameOf } from '#games/games.ts';
import { readForSale } from '../../store/sold-products.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import type { ChatLine } from './chat-line.ts';
import type { ChatWords } from './chat-words.ts';
import { longestAnswer, shownName, textKey } from './typed-text.ts';

export interface ListedProduct {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
  readonly price: number;
  readonly isSoldOut: boolean;
  /** It may hold something that is given only by the number of a survivor. */
  readonly needsSurvivor: boolean;
}

export type FoundProduct =
  /** `isExact`: by its code, its whole name, or a number of the list that this player was shown. */
  | { readonly kind: 'one'; readonly product: ListedProduct; readonly isExact: boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'several' };

/** What can be bought on a server, by category and name. */
export const readProductsOn = async (
  { servers, store }: Pick<StorefrontContext, 'servers' | 'store'>,
  serverId: string,
): Promise<readonly ListedProduct[]> => {
  const server = servers.get(serverId);
  if (!server) return [];
  return (await readForSale(store))
    .filter(
      ({ game, clusterIds, serverIds }) =>
        game === server.game &&
        (clusterIds.length + serverIds.length === 0 ||
          serverIds.includes(server.id) ||
          clusterIds.includes(server.clusterId)),
    )
    .map(({ id, name, shortCode, currentPrice, stock, game, lines }) => ({
      id,
      name,
      code: shortCode,
      price: currentPrice,
      isSoldOut: stock === 0,
      needsSurvivor: lines.some((line) => needsSurvivor(game, line)),
    }));
};

/** A part of a bundle may hold anything. */
const needsSurvivor = (game: Product['game'], line: Product['lines'][number]): boolean =>
  line.kind === 'command'
    ? line.command.includes('{survivorNumber}')
    : line.kind !== 'role' && gameOf(game).store.needsSurvivorNumber;

interface Entry {
  readonly place: number;
  readonly product: ListedProduct;
  readonly text: string;
}

const separator = '; ';

/** Room for what is before the entries. */
const headRoom = 24;

/** As many products as one line holds. @param tailRoom room for what comes after them */
export const pagesOf = (
  products: readonly ListedProduct[],
  perPage: number,
  words: Pick<ChatWords, 'entry'>,
  tailRoom: number,
): readonly (readonly Entry[])[] => {
  const pages: Entry[][] = [];
  let room = 0;
  for (const [index, product] of products.entries()) {
    const place = index + 1;
    const text = words.entry(
      place,
      shownName(product.name),
      product.code,
      product.isSoldOut ? null : product.price,
    );
    const page = pages.at(-1);
    const length = text.length + separator.length;
    if (page && page.length < perPage && length <= room) {
      page.push({ place, product, text });
      room -= length;
    } else {
      pages.push([{ place, product, text }]);
      room = longestAnswer - headRoom - tailRoom - length;
    }
  }
  return pages;
};

export const entriesText = (page: readonly Entry[]): string => page.map(({ text }) => text).join(separator);

/** What one piece costs. */
export interface PiecePrice {
  /** The price in the list. */
  readonly listed: number;
  /** The price less the player's discount. */
  readonly paid: number;
}

/** A price that a player was told. */
interface ToldPrice extends PiecePrice {
  /** They cannot have typed the line before they read it. */
  readonly isRead: boolean;
}

interface Shown {
  atMs: number;
  readonly places: Map<number, string>;
  readonly prices: Map<string, PiecePrice & { readonly readMs: number }>;
}

const shownMs = 900_000;
/** For a line that was typed before, and is heard late. */
const readingMs = 30_000;
const mostPlayers = 5000;

/** What a player was shown: a number of the list means its entry at that time, and a price that has changed since leads to a question. */
export type ShownLists = ReturnType<typeof createShownLists>;

export const createShownLists = (now: () => number) => {
  const shown = new Map<string, Shown>();
  const startedMs = now();
  const keyOf = ({ playerId, serverId }: ChatLine) => `${playerId} ${serverId}`;
  const of = (line: ChatLine) => {
    const known = shown.get(keyOf(line));
    return known && now() - known.atMs <= shownMs ? known : undefined;
  };
  const touch = (line: ChatLine): Shown => {
    const known = of(line) ?? { atMs: 0, places: new Map(), prices: new Map() };
    shown.delete(keyOf(line));
    shown.set(keyOf(line), known);
    known.atMs = now();
    const [oldest] = shown.keys();
    if (shown.size > mostPlayers && oldest !== undefined) shown.delete(oldest);
    return known;
  };
  /** An API that ended recently may have told players other prices. */
  const isNew = () => now() - startedMs <= shownMs;
  const tell = ({ prices }: Shown, productId: string, { listed, paid }: PiecePrice, readMs: number) => {
    const known = prices.get(productId);
    // Told again, it is as old as when it was first told.
    if (known?.listed === listed && known.paid === paid) return;
    // Until another price has certainly been read, the player may still mean the previous one.
    prices.set(productId, { listed, paid, readMs: known ? now() + readingMs : readMs });
  };
  return {
    /** @param sentMs when it was sent: the player may read it before the game replies */
    show(line: ChatLine, page: readonly Entry[], sentMs: number): void {
      const known = touch(line);
      for (const { place, product } of page) {
        known.places.set(place, product.id);
        const { id, price } = product;
        // The list has no discounts: a lower price that the player was told still holds.
        if (known.prices.get(id)?.listed !== price) tell(known, id, { listed: price, paid: price }, sentMs);
      }
    },
    productAt: (line: ChatLine, place: number): string | null => of(line)?.places.get(place) ?? null,
    /** Null: they were told none recently. Unknown: an API that ended recently may have told them one. */
    priceOf(line: ChatLine, productId: string): ToldPrice | 'unknown' | null {
      const told = of(line)?.prices.get(productId);
      if (!told) return isNew() ? 'unknown' : null;
      const { listed, paid, readMs } = told;
      return { listed, paid, isRead: readMs <= line.at.getTime() };
    },
    // The same line typed twice means the price from before the question, too.
    tellPrice: (line: ChatLine, productId: string, price: PiecePrice, sentMs: number): void =>
      tell(touch(line), productId, price, isNew() ? now() + readingMs : sentMs),
  };
};

/** @param shownAt the product at a number of the list that the player was shown */
export const findProduct = (
  products: readonly ListedProduct[],
  typed: string,
  shownAt: (place: number) => string | null,
): FoundProduct => {
  const key = textKey(typed);
  const byCode = products.find(({ code }) => code !== null && textKey(code) === key);
  if (byCode) return { kind: 'one', product: byCode, isExact: true };
  if (/^\d{1,4}$/.test(key)) {
    const shownId = shownAt(Number(key));
    // A product that was there and is not sold any more is not another product.
    const product = shownId === null ? products[Number(key) - 1] : products.find(({ id }) => id === shownId);
    if (product) return { kind: 'one', product, isExact: shownId !== null };
  }
  const named = products.filter(({ name }) => textKey(name) === key);
  if (named.length > 0) return sole(named, true);
  return sole(key === '' ? [] : products.filter(({ name }) => textKey(name).includes(key)), false);
};

const sole = ([first, ...others]: readonly ListedProduct[], isExact: boolean): FoundProduct => {
  if (!first) return { kind: 'none' };
  return others.length === 0 ? { kind: 'one', product: first, isExact } : { kind: 'several' };
};
