import type { Kysely } from 'kysely';
import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { Delivery } from '#contracts/store/deliveries.ts';
import type { Order, OrderDetails, OrderPreview, OrderRequest } from '#contracts/store/orders.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import type { Game, Rendered } from '#games/game.ts';
import type { StoreForms, TemplateValues } from '#games/store-forms.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { QuoteOrder } from '../store-terms/order-quote.ts';
import type { SoldProduct } from '../store-terms/sold-product.ts';
import {
  because,
  countAll,
  findMemberFault,
  findRefusals,
  mostDeliveries,
  mostPiecesOf,
  wantedLines,
} from './order-checks.ts';
import { type OrderTerms, receiverOf, totalOf, type WantedLine } from './order-terms.ts';
import { createPlaceOrder, type PlaceOrder, type PlaceOrderOptions } from './place-order.ts';
import { planDeliveries } from './planned-deliveries.ts';
import { priceLines } from './priced-lines.ts';
import { type MemberNames, type OrderQuery, readOrder, readOrders } from './read-orders.ts';
import { createRefundOrder, type RefundOrderOptions, type RefundTerms } from './refund-order.ts';

interface MemberPlayer {
  readonly name: string;
  readonly platformId: string | null;
  /** Where they were first seen; one platform account may play several games. */
  readonly game: GameId;
}

type OrderGame = Pick<Game, 'actions' | 'maskCommand'> & { readonly store: StoreForms };

interface PreviewOrderOptions {
  readonly db: Kysely<Tables>;
  readonly sold: (db: Kysely<Tables>, ids: readonly string[], now: Date) => Promise<readonly SoldProduct[]>;
  readonly gameOf: (id: GameId) => OrderGame;
  readonly quote: QuoteOrder;
  /** Most recently seen first. */
  readonly playersOf: (memberId: string) => Promise<readonly MemberPlayer[]>;
  readonly now: () => Date;
}

type PreviewOrder = (request: OrderRequest, actor: Actor) => Promise<OrderPreview | Refusal>;

/** Stands in for the order's id. */
const noOrderYet = 'preview';

const createPreviewOrder = ({
  db,
  sold,
  gameOf,
  quote,
  playersOf,
  now,
}: PreviewOrderOptions): PreviewOrder => {
  const preview = (
    { product, quantity, unitPrice }: WantedLine,
    players: readonly MemberPlayer[],
  ): OrderPreview['deliveries'] => {
    const game = gameOf(product.game);
    const fitting = players.toSorted(
      (one, other) => Number(other.game === product.game) - Number(one.game === product.game),
    );
    const { mostAtOnce } = game.store;
    return planDeliveries({ parts: product.parts, quantity, mostAtOnce }, quantity * unitPrice).map(
      ({ line, points }) => ({
        productId: product.id,
        position: line.position,
        points,
        ...shown(game, renderForFirst(game, line, fitting)),
      }),
    );
  };

  return async (request, actor) => {
    if (request.isTest && !may(actor, 'store.write'))
      return refuse('FORBIDDEN', reasons['test-order-forbidden']);
    const memberFault = await findMemberFault(db, request, { lock: false });
    if (memberFault) return refuse(memberFault.code, memberFault.detail);
    const at = now();
    const ids = request.lines.map(({ productId }) => productId);
    const { isTest } = request;
    const wanted = wantedLines(request, await sold(db, ids, at), isTest);
    const asked = { quote, isFree: isTest, actor, now: at, lock: false };
    const priced = await priceLines(db, request, wanted.lines, asked);
    if (isRefusal(priced)) return priced;
    const { lines, discount, codeFault } = priced;
    const mostAtOnce = (game: GameId) => gameOf(game).store.mostAtOnce;
    const refusals = [
      ...wanted.missing,
      ...(await findRefusals(db, request, lines, {
        now: at,
        mostAtOnce,
        isUnlimited: isTest,
        codeFault,
      })),
    ];
    const total = totalOf(lines);
    const { balance } = await db
      .selectFrom('wallets')
      .select('balance')
      .where('member_id', '=', request.memberId)
      .executeTakeFirstOrThrow();
    if (Number(balance) < total)
      refusals.push({
        productId: null,
        ...because('INSUFFICIENT_POINTS', { kind: 'points', total, balance: Number(balance) }),
      });
    const players = await playersOf(receiverOf(request));
    return {
      total,
      balance: Number(balance),
      lines: lines.map(({ product, quantity, unitPrice }) => ({
        productId: product.id,
        quantity,
        basePrice: product.basePrice,
        price: product.price,
        priceUntil: product.priceUntil?.toISOString() ?? null,
        unitPrice,
      })),
      discount: discount && {
        name: discount.name,
        saved: totalOf(wanted.lines) - total,
        isByCode: discount.isByCode,
      },
      refusals,
      deliveries:
        countAll(lines, mostAtOnce) > mostDeliveries ? [] : lines.flatMap((line) => preview(line, players)),
    };
  };
};

const renderForFirst = (game: OrderGame, line: DeliveryLine, players: readonly MemberPlayer[]): Rendered => {
  let first: Rendered | null = null;
  // Shown by its name; what its receiver needs is determined when it is given.
  if (line.kind === 'role') return { command: `@${line.roleName}` };
  for (const player of players) {
    const rendered = render(game, line, player);
    if ('command' in rendered) return rendered;
    first ??= rendered;
  }
  return first ?? { refused: reasons['receiver-unseen'] };
};

const render = (
  { store, actions }: OrderGame,
  line: Exclude<DeliveryLine, { kind: 'role' }>,
  { name, platformId }: MemberPlayer,
): Rendered => {
  const { quantity } = line;
  const values: TemplateValues = {
    player: name,
    platformId,
    handle: null,
    survivorNumber: null,
    quantity,
    orderId: noOrderYet,
  };
  if (line.kind === 'command') return store.renderTemplate(line.command, values);
  const { item, quality } = line;
  return (
    actions.give?.render({ player: store.referenceOf(values), item, quantity, quality }) ?? {
      refused: reasons['no-give-command'],
    }
  );
};

const shown = ({ maskCommand }: OrderGame, rendered: Rendered) =>
  'command' in rendered
    ? { command: maskCommand(rendered.command), detail: null, reason: null }
    : { command: null, detail: rendered.refused, reason: reasonOf(rendered.refused) };

export interface OrdersOptions
  extends Omit<PlaceOrderOptions, 'mostAtOnce' | 'now'>,
    Omit<PreviewOrderOptions, 'now'>,
    RefundOrderOptions {
  readonly memberNames: MemberNames;
  readonly counterCommands: RefundOrderOptions['counterCommands'] & {
    /** Whether something of these lines is still to be removed; null: of the whole order. */
    waitsFor(orderId: string, lineIds: readonly string[] | null): Promise<boolean>;
  };
  readonly deliveriesOf: (orderId: string) => Promise<Delivery[]>;
  /** Looks for deliveries to send to these members. */
  readonly wake: (memberIds: readonly string[]) => void;
  readonly now?: () => Date;
}

export interface Orders {
  list(query: OrderQuery): Promise<{ rows: Order[]; nextCursor: string | null }>;
  read(id: string): Promise<OrderDetails | Refusal>;
  /** @param key repeating a request with the same key by the same caller returns the same order */
  place(
    request: Parameters<PlaceOrder>[0],
    key: string | null,
    by: AuditContext,
    terms?: OrderTerms,
  ): Promise<OrderDetails | Refusal>;
  readonly preview: PreviewOrder;
  /** How many pieces of a product one order may hold; 0: even one is too many. */
  mostPieces(product: Pick<SoldProduct, 'game' | 'parts'>): number;
  /** Refunds what was paid and not refunded yet, for the whole order or for some lines. */
  refund(id: string, lineIds: readonly string[] | null, by: AuditContext): Promise<OrderDetails | Refusal>;
  /**
   * Refunds what can be refunded now; call it again until nothing hinders it.
   * @param alongside runs in each transaction that refunds something
   * @returns why not everything is refunded yet and, as far as possible, removed; null if it is. `tried` resolves after the
   * removal attempt: it is not awaited, since games may hang
   */
  takeBack(
    id: string,
    lineIds: readonly string[] | null,
    by: AuditContext,
    alongside: NonNullable<RefundTerms['alongside']>,
  ): Promise<{ readonly hindrance: string | null; readonly tried: Promise<void> } | Refusal>;
}

export const createOrders = (options: OrdersOptions): Orders => {
  const { db, gameOf, memberNames, deliveriesOf, wake, now = () => new Date() } = options;
  const mostAtOnce = (game: GameId) => gameOf(game).store.mostAtOnce;
  const place = createPlaceOrder({ ...options, mostAtOnce, now });
  const refund = createRefundOrder(options);
  const read = async (id: string): Promise<OrderDetails | Refusal> => {
    const order = await readOrder(db, id, memberNames);
    return order ? { ...order, deliveries: await deliveriesOf(id) } : refuse('NOT_FOUND');
  };
  return {
    list: (query) => readOrders(db, query, memberNames),
    read,
    async place(request, key, by, terms) {
      const placed = await place(request, key, by, terms);
      if (isRefusal(placed)) return placed;
      wake([receiverOf(request)]);
      return read(placed.orderId);
    },
    preview: createPreviewOrder({ ...options, now }),
    mostPieces: (product) => mostPiecesOf(product, mostAtOnce(product.game)),
    async refund(id, lineIds, by) {
      const refunded = await refund(id, lineIds, by);
      if (isRefusal(refunded)) return refunded;
      await refunded.tried;
      return read(id);
    },
    async takeBack(id, lineIds, by, alongside) {
      const refunded = await refund(id, lineIds, by, { isPartial: true, alongside });
      if (isRefusal(refunded) || refunded.hindrance !== null) return refunded;
      const waits = await options.counterCommands.waitsFor(id, lineIds);
      return { ...refunded, hindrance: waits ? reasons['taking-waits'] : null };
    },
  };
};
