import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { OrderDetails, OrderPreview, OrderRequest } from '#contracts/store/orders.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import type { Asking } from './asking.ts';
import { actingPlayer } from './chat-actor.ts';
import type { ChatCommand, ChatLine } from './chat-commands.ts';
import type { ChatRules } from './chat-rules.ts';
import type { OpenQuestion } from './confirmations.ts';
import type { ChatPurchase } from './last-purchase.ts';
import { isNumber, mostPieces, parsePurchase } from './parse-command.ts';
import type { PrivateAnswers, Reach } from './private-answers.ts';
import {
  type FoundProduct,
  findProduct,
  type ListedProduct,
  type PiecePrice,
  type ShownLists,
} from './shop-list.ts';
import { shownName } from './typed-text.ts';

export interface BuyCommandOptions {
  readonly ofPlayer: (playerId: string) => Promise<MemberDetails | Refusal>;
  readonly orders: {
    preview(request: OrderRequest, actor: Actor): Promise<OrderPreview | Refusal>;
    place(
      request: OrderRequest,
      key: string,
      by: AuditContext,
      terms: {
        readonly source: 'chat';
        /** What it gives goes to this player on this server, as long as they are there. */
        readonly askedBy: Pick<ChatLine, 'playerId' | 'serverId'>;
        /** In the order's transaction; a refusal rolls it back. */
        readonly alongside?: (trx: Kysely<Tables>) => Promise<Refusal | null>;
      },
    ): Promise<OrderDetails | Refusal>;
  };
  /** The newest thing that the player bought by chat on this server since then. */
  readonly lastPurchase: (line: ChatLine, since: Date) => Promise<ChatPurchase | null>;
  /** What this very line bought before it was reported again. */
  readonly purchaseOf: (line: ChatLine) => Promise<ChatPurchase | null>;
  readonly products: (serverId: string) => Promise<readonly ListedProduct[]>;
  readonly shown: ShownLists;
  readonly asking: Asking;
  readonly answers: PrivateAnswers;
  readonly rules: () => Promise<ChatRules>;
  readonly isArk: (serverId: string) => boolean;
  /** Whether the number of the player's survivor there is known. */
  readonly isSurvivorKnown: (player: Pick<ChatLine, 'playerId' | 'serverId'>) => Promise<boolean>;
  readonly now: () => number;
}

const askedPurchase = z.object({
  /** The member whose points they were when the player was asked. */
  memberId: z.string(),
  productId: z.string(),
  name: z.string(),
  quantity: z.int(),
});
type AskedPurchase = z.output<typeof askedPurchase>;

type FoundPurchase =
  | Exclude<FoundProduct, { readonly kind: 'one' }>
  | (Extract<FoundProduct, { readonly kind: 'one' }> & { readonly quantity: number });

const lifetimeMs = 180_000;

const askerOf = ({ playerId, serverId }: ChatLine) => ({ playerId, serverId });

/**
 * `!buy CODE [n]`. A line with a platform id immediately buys what it names exactly, at the price that the player was
 * told last. For every other line, and for a player who may have been told another price, the shop asks back with a
 * number that only the account is told, and `!buy NUMBER` buys. A line buys at most once: its key is the order's.
 */
export const createBuyCommand = (options: BuyCommandOptions): ChatCommand => {
  const {
    ofPlayer,
    orders,
    lastPurchase,
    purchaseOf,
    products,
    shown,
    asking,
    answers,
    rules,
    isArk,
    isSurvivorKnown,
    now,
  } = options;

  const requestOf = ({ memberId, productId, quantity }: AskedPurchase): OrderRequest => ({
    memberId,
    lines: [{ productId, quantity }],
    isTest: false,
  });

  /** What it costs now; null: the player was told why it cannot be bought. */
  const priceOf = async (
    line: ChatLine,
    purchase: AskedPurchase,
  ): Promise<{ readonly total: number; readonly piece: PiecePrice } | null> => {
    const words = await answers.words();
    const preview = await orders.preview(requestOf(purchase), actingPlayer(line).actor);
    const why = isRefusal(preview) ? words.refused : preview.refusals.map((one) => words.refusal(one.why))[0];
    if (why === undefined && !isRefusal(preview)) {
      const [sold] = preview.lines;
      if (!sold) throw new Error('a purchase that is not refused has no line');
      return { total: preview.total, piece: { listed: sold.price, paid: sold.unitPrice } };
    }
    await answers.tell(line, words.notBought(why ?? words.refused));
    return null;
  };

  const ask = async (
    line: ChatLine,
    asked: AskedPurchase,
    {
      total,
      followsId,
      hasChanged = false,
    }: { readonly total: number; readonly followsId?: string; readonly hasChanged?: boolean },
  ): Promise<Reach> => {
    const words = await answers.words();
    const { typed } = await rules();
    const what = words.times(asked.quantity, shownName(asked.name));
    const question = { command: 'buy', asked, expectedTotal: total, lifetimeMs } as const;
    const text = hasChanged ? words.priceChanged : words.buyQuestion;
    return asking.ask(line, { ...question, ...(followsId !== undefined && { followsId }) }, (number) =>
      text(what, total, `${typed('buy')} ${number}`),
    );
  };

  const tellBought = async (line: ChatLine, asked: AskedPurchase, total: number): Promise<void> => {
    const words = await answers.words();
    const member = await ofPlayer(line.playerId);
    const what = words.times(asked.quantity, shownName(asked.name));
    await answers.tell(line, words.bought(what, total, isRefusal(member) ? 0 : member.balance));
    const sold = (await products(line.serverId)).find(({ id }) => id === asked.productId);
    if (!isArk(line.serverId) || sold?.needsSurvivor !== true || (await isSurvivorKnown(line))) return;
    await answers.tell(line, words.numberNeeded((await rules()).typed('survivor')));
  };

  /** The number may have been used by a purchase whose response was lost; without this text the player would buy again. */
  const doneText = async (
    bought: Promise<ChatPurchase | null>,
    { balance }: MemberDetails,
  ): Promise<string | null> => {
    const one = await bought;
    if (!one) return null;
    const words = await answers.words();
    return words.alreadyBought(words.times(one.quantity, shownName(one.name)), one.total, balance);
  };
  const lately = (line: ChatLine) => lastPurchase(line, new Date(now() - lifetimeMs));

  const buyAtOnce = async (line: ChatLine, purchase: AskedPurchase, total: number): Promise<void> => {
    const words = await answers.words();
    if (!answers.reaches(line)) {
      const what = words.times(purchase.quantity, shownName(purchase.name));
      if ((await answers.tell(line, words.buying(what, total))) !== 'told') return;
    }
    const request = { ...requestOf(purchase), expectedTotal: total };
    const placed = await orders.place(request, line.key, actingPlayer(line), {
      source: 'chat',
      askedBy: askerOf(line),
    });
    if (!isRefusal(placed)) return tellBought(line, purchase, placed.total);
    const price = await priceOf(line, purchase);
    if (price === null) return;
    if (placed.refused === 'PRICE_CHANGED')
      await ask(line, purchase, { total: price.total, hasChanged: true });
    else await answers.tell(line, words.notBought(words.refused));
  };

  const confirm = async (line: ChatLine, question: OpenQuestion, member: MemberDetails): Promise<void> => {
    const words = await answers.words();
    const { id, lineKey, expectedTotal } = question;
    const memberId = member.id;
    const asked = askedPurchase.parse(question.asked);
    if (expectedTotal === null) throw new Error('a question of a purchase has no price');
    const placed =
      asked.memberId === memberId
        ? await orders.place({ ...requestOf(asked), expectedTotal }, lineKey, actingPlayer(line), {
            source: 'chat',
            askedBy: askerOf(line),
            alongside: (trx) => asking.spend(trx, id),
          })
        : null;
    if (placed && !isRefusal(placed)) {
      // An earlier order of the same line has left it open.
      await asking.close(id);
      return tellBought(line, asked, placed.total);
    }
    if (placed?.refused === 'CONFLICT') {
      const done = await doneText(lately(line), member);
      return void (await answers.tell(line, done ?? words.wrongNumber));
    }
    const purchase = { ...asked, memberId };
    const totalNow = (await priceOf(line, purchase))?.total ?? null;
    // Another price, or another member's points, since two members were merged.
    if (totalNow !== null && (placed === null || placed.refused === 'PRICE_CHANGED'))
      return void (await ask(line, purchase, {
        total: totalNow,
        followsId: id,
        hasChanged: totalNow !== expectedTotal,
      }));
    // Everyone has read the number now.
    await asking.close(id);
    if (totalNow !== null) await answers.tell(line, words.notBought(words.refused));
  };

  /** An exact match of any reading comes first: `kit 2` is two kits and not one "Kit 24 hours". */
  const find = async (line: ChatLine, argument: string) => {
    const sold = await products(line.serverId);
    let found: FoundPurchase = { kind: 'none' };
    for (const { product, quantity } of parsePurchase(argument)) {
      const one = findProduct(sold, product, (place) => shown.productAt(line, place));
      if (one.kind === 'one' && one.isExact) return { ...one, quantity };
      if (found.kind === 'none') found = one.kind === 'one' ? { ...one, quantity } : one;
    }
    return found;
  };

  return {
    name: 'buy',
    needsTrust: true,
    async run(line, argument) {
      const words = await answers.words();
      const { typed } = await rules();
      const member = await ofPlayer(line.playerId);
      if (isRefusal(member)) return;
      if (isNumber(argument)) {
        const question = await asking.answered(line, 'buy', argument, () => doneText(lately(line), member));
        if (question) await confirm(line, question, member);
        return;
      }
      const tell = async (text: string) => void (await answers.tell(line, text));
      if (argument === '') return tell(words.howToBuy(typed('buy'), typed('shop')));
      const done = await doneText(purchaseOf(line), member);
      if (done !== null) return tell(done);
      const found = await find(line, argument);
      if (found.kind === 'none') return tell(words.noProduct(typed('shop')));
      if (found.kind === 'several') return tell(words.severalProducts(typed('shop')));
      const { product, quantity, isExact } = found;
      if (quantity < 1 || quantity > mostPieces) return tell(words.quantityRange(mostPieces));
      const purchase = { memberId: member.id, productId: product.id, name: product.name, quantity };
      const price = await priceOf(line, purchase);
      if (price === null) return;
      const { total, piece } = price;
      const told = shown.priceOf(line, product.id);
      // A discount that the player was not told about only makes it cheaper, and counts as no other price.
      const hasPrice = told !== null && told !== 'unknown';
      const hasChanged = hasPrice && (told.listed !== piece.listed || told.paid < piece.paid);
      const mayBuy = told === null || (hasPrice && told.isRead && !hasChanged);
      if (line.isProven && isExact && mayBuy) return buyAtOnce(line, purchase, total);
      const sentMs = now();
      const reach = await ask(line, purchase, { total, hasChanged });
      if (reach !== 'not') shown.tellPrice(line, product.id, piece, sentMs);
    },
  };
};
