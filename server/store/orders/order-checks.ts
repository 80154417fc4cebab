import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import type { DiscountCodeFault, OrderRefusalWhy, OrderRequest } from '#contracts/store/orders.ts';
import { gameOf } from '#games/games.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { seenInGame } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import type { SoldProduct } from '../catalogue/sold-product.ts';
import { type CodeGuesses, type OrderQuote, quoteOrder } from '../discounts/quote-order.ts';
import { findLimit, readHoldings } from './limits.ts';
import { isLimited, type OrderRefusal, receiverOf, totalOf, type WantedLine } from './order-terms.ts';
import { readOwnedRoles, rolesAlone } from './owned-roles.ts';
import { countDeliveries } from './planned-deliveries.ts';
import { refusalText, said } from './refusal-text.ts';
import { planTakings } from './stock.ts';

/** An order is one transaction, which must not hold its locks for too long. */
export const mostDeliveries = 1000;
/** Per product, as in the contract of an order. */
const mostPieces = 1000;

/** Items per delivery. */
export const mostAtOnce = (game: GameId): number => gameOf(game).store.mostAtOnce;

/** A refusal without its product. */
export const because = (
  code: OrderRefusal['code'],
  why: OrderRefusalWhy,
): Omit<OrderRefusal, 'productId'> => ({ code, detail: refusalText(why), why });

/** The lines of an order at current prices, without a discount, and refusals for products that do not exist. */
export const wantedLines = (
  { lines }: OrderRequest,
  products: readonly SoldProduct[],
  isFree: boolean,
): { readonly lines: readonly WantedLine[]; readonly missing: readonly OrderRefusal[] } => {
  const byId = new Map(products.map((product) => [product.id, product]));
  return {
    lines: lines.flatMap(({ productId, quantity }) => {
      const product = byId.get(productId);
      return product ? [{ product, quantity, unitPrice: isFree ? 0 : product.price }] : [];
    }),
    missing: lines
      .filter(({ productId }) => !byId.has(productId))
      .map(({ productId }) => ({ productId, ...because('NOT_FOUND', said(reasons['no-such-product'])) })),
  };
};

type PricedLines = Pick<OrderQuote, 'discount' | 'codeFault'> & {
  readonly lines: readonly WantedLine[];
};

/** The lines with the discount that makes the order cheapest. What is free, or was paid outside, gets none. */
export const priceLines = async (
  db: Kysely<Tables>,
  request: OrderRequest,
  lines: readonly WantedLine[],
  asked: {
    readonly codeGuesses: CodeGuesses;
    readonly isFree: boolean;
    readonly actor: Actor;
    readonly now: Date;
    readonly lock: boolean;
  },
): Promise<PricedLines | Refusal> => {
  const { codeGuesses, isFree, actor, now, lock } = asked;
  if (isFree) return { lines, discount: null, codeFault: null };
  const quoted = await quoteOrder(codeGuesses, db, {
    payerId: request.memberId,
    lines: lines.map(({ product, quantity, unitPrice }) => ({
      productId: product.id,
      category: product.category,
      quantity,
      price: unitPrice,
    })),
    code: request.discountCode ?? null,
    actor,
    now,
    lock,
  });
  if (isRefusal(quoted)) return quoted;
  const { discount, unitPrices, codeFault } = quoted;
  return {
    lines: lines.map((line, index) => ({ ...line, unitPrice: unitPrices[index] ?? line.unitPrice })),
    discount,
    codeFault,
  };
};

/** Every objection to an order except the wallet's balance, which only the charge can check. */
export const findRefusals = async (
  db: Kysely<Tables>,
  request: OrderRequest,
  lines: readonly WantedLine[],
  {
    now,
    isUnlimited,
    codeFault,
  }: {
    readonly now: Date;
    readonly isUnlimited: boolean;
    readonly codeFault: DiscountCodeFault | null;
  },
): Promise<readonly OrderRefusal[]> => {
  const refusals: OrderRefusal[] = [];
  const { expectedTotal } = request;
  const receiverId = receiverOf(request);
  const holdings = isUnlimited ? new Map() : await readHoldingsOfLimited(db, receiverId, lines, now);
  const owned = new Set(isUnlimited ? [] : await readOwnedRoles(db, receiverId, lines));
  const takings = planTakings(lines);
  const unseenIn = request.isTest ? await readGamesUnseen(db, receiverId, lines) : [];
  for (const [index, line] of lines.entries()) {
    const { product, quantity } = line;
    const refuse = (code: OrderRefusal['code'], why: OrderRefusalWhy) =>
      refusals.push({
        productId: product.id,
        ...because(code, why),
        detail: `${product.name}: ${refusalText(why)}`,
      });
    const closed = isUnlimited
      ? (product.notGivable ?? (request.isTest ? product.notTestable : null))
      : product.notForSale;
    if (closed !== null) refuse('PRODUCT_NOT_FOR_SALE', said(closed));
    else if (unseenIn.includes(product.game))
      refuse('RECIPIENT_UNSEEN', said(reasons['receiver-unseen-in'](games[product.game].name)));
    if (isUnlimited) continue;
    const limit = findLimit(product.limits, holdings.get(product.id), quantity, now);
    if (limit !== null) refuse('LIMIT_REACHED', limit);
    const roles = rolesAlone(line);
    const hasAll = roles?.every((id) => owned.has(id)) === true;
    if (roles && (hasAll || quantity > 1))
      refuse('LIMIT_REACHED', { kind: 'per-member', most: 1, has: hasAll ? 1 : 0 });
    // A later line of this order may give the same role.
    for (const id of roles ?? []) owned.add(id);
    const short = takings[index]?.find(({ beyond }) => beyond > 0);
    if (short) refuse('OUT_OF_STOCK', { kind: 'stock', left: short.left });
  }
  if (codeFault !== null)
    refusals.push({
      productId: null,
      ...because('DISCOUNT_CODE_INVALID', { kind: 'code', fault: codeFault }),
    });
  const total = totalOf(lines);
  if (expectedTotal !== undefined && expectedTotal !== total)
    refusals.push({ productId: null, ...because('PRICE_CHANGED', { kind: 'price', total }) });
  const count = countAll(lines);
  if (count > mostDeliveries)
    refusals.push({
      productId: null,
      ...because('INVALID_REQUEST', { kind: 'size', count, most: mostDeliveries }),
    });
  return refusals;
};

export const countAll = (lines: readonly WantedLine[]): number =>
  lines.reduce(
    (sum, { product, quantity }) =>
      sum + countDeliveries({ parts: product.parts, quantity, mostAtOnce: mostAtOnce(product.game) }),
    0,
  );

const readHoldingsOfLimited = async (
  db: Kysely<Tables>,
  receiverId: string,
  lines: readonly WantedLine[],
  now: Date,
) => {
  const limited = lines.filter(({ product }) => isLimited(product));
  return limited.length === 0 ? new Map() : readHoldings(db, receiverId, limited, now);
};

/** Games of products that give a player something, in which the receiver was never seen: a test there would only wait. */
const readGamesUnseen = async (
  db: Kysely<Tables>,
  receiverId: string,
  lines: readonly WantedLine[],
): Promise<readonly GameId[]> => {
  const isForPlayer = (line: SoldProduct['parts'][number]['lines'][number]) =>
    line.kind === 'item' || (line.kind === 'command' && /\{(?:player|platformId)\}/.test(line.command));
  const wanted = new Set(
    lines
      .filter(({ product: { parts } }) => parts.some((part) => part.lines.some(isForPlayer)))
      .map(({ product }) => product.game),
  );
  const unseen: GameId[] = [];
  for (const game of wanted) {
    const { rows } =
      await sql`select from players where member_id = ${receiverId} and ${seenInGame('players', game)} limit 1`.execute(
        db,
      );
    if (rows.length === 0) unseen.push(game);
  }
  return unseen;
};

/** Why a member cannot pay or receive; null if both can. */
export const findMemberFault = async (
  db: Kysely<Tables>,
  request: OrderRequest,
  { lock }: { readonly lock: boolean },
): Promise<OrderRefusal | null> => {
  const ids = [...new Set([request.memberId, receiverOf(request)])];
  const found = await db
    .selectFrom('members')
    .select(['id', 'merged_into', 'erased_at'])
    .where('id', 'in', ids)
    .orderBy('id')
    // Makes merges and erasures wait for this order, or this order for them.
    .$if(lock, (query) => query.forShare())
    .execute();
  if (found.length < ids.length)
    return { productId: null, ...because('NOT_FOUND', said(reasons['no-such-member'])) };
  const gone = found.find(({ merged_into, erased_at }) => merged_into !== null || erased_at !== null);
  if (!gone) return null;
  const { id, merged_into } = gone;
  const detail =
    merged_into === null ? reasons['member-was-erased'](id) : reasons['member-was-merged'](id, merged_into);
  return { productId: null, ...because('MEMBER_GONE', said(detail)) };
};

/** How many pieces of a product one order may hold; 0: even one is too many. */
export const mostPiecesOf = ({ game, parts }: Pick<SoldProduct, 'game' | 'parts'>): number => {
  let [fits, isTooMany] = [0, mostPieces + 1];
  while (isTooMany - fits > 1) {
    const quantity = Math.floor((fits + isTooMany) / 2);
    if (countDeliveries({ parts, quantity, mostAtOnce: mostAtOnce(game) }) <= mostDeliveries) fits = quantity;
    else isTooMany = quantity;
  }
  return fits;
};
