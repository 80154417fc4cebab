import * as z from 'zod';
import type { MemberDetails } from '#contracts/people/members.ts';
import type { OrderRequest } from '#contracts/store/orders.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { isSurvivorKnown } from '../../store/survivor-numbers.ts';
import { isNumber, mostPieces, parsePurchase, readChatRules } from '../parse-command.ts';
import { type ChatContext, isArk } from './chat-context.ts';
import { actingPlayer, type ChatLine } from './chat-line.ts';
import { closeQuestion, type OpenQuestion, spendQuestion } from './confirmations.ts';
import { type ChatPurchase, readLastPurchase, readPurchaseOf } from './last-purchase.ts';
import type { Reach } from './private-answers.ts';
import { type FoundProduct, findProduct, type PiecePrice, readProductsOn } from './shop-list.ts';
import { shownName } from './typed-text.ts';

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

const requestOf = ({ memberId, productId, quantity }: AskedPurchase): OrderRequest => ({
  memberId,
  lines: [{ productId, quantity }],
  isTest: false,
});

/** What it costs now; null: the player was told why it cannot be bought. */
const priceOf = async (
  { answers, store }: ChatContext,
  line: ChatLine,
  purchase: AskedPurchase,
): Promise<{ readonly total: number; readonly piece: PiecePrice } | null> => {
  const words = await answers.words();
  const preview = await store.orders.preview(requestOf(purchase), actingPlayer(line).actor);
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
  { answers, asking, settings }: ChatContext,
  line: ChatLine,
  asked: AskedPurchase,
  {
    total,
    followsId,
    hasChanged = false,
  }: { readonly total: number; readonly followsId?: string; readonly hasChanged?: boolean },
): Promise<Reach> => {
  const words = await answers.words();
  const { typed } = await readChatRules(settings);
  const what = words.times(asked.quantity, shownName(asked.name));
  const question = { command: 'buy', asked, expectedTotal: total, lifetimeMs } as const;
  const text = hasChanged ? words.priceChanged : words.buyQuestion;
  return asking.ask(line, { ...question, ...(followsId !== undefined && { followsId }) }, (number) =>
    text(what, total, `${typed('buy')} ${number}`),
  );
};

const tellBought = async (
  chat: ChatContext,
  line: ChatLine,
  asked: AskedPurchase,
  total: number,
): Promise<void> => {
  const { answers } = chat;
  const words = await answers.words();
  const member = await chat.members.ofPlayer(line.playerId);
  const what = words.times(asked.quantity, shownName(asked.name));
  await answers.tell(line, words.bought(what, total, isRefusal(member) ? 0 : member.balance));
  const sold = (await readProductsOn(chat, line.serverId)).find(({ id }) => id === asked.productId);
  if (!isArk(chat, line.serverId) || sold?.needsSurvivor !== true) return;
  if (await isSurvivorKnown(chat.store, line)) return;
  await answers.tell(line, words.numberNeeded((await readChatRules(chat.settings)).typed('survivor')));
};

/** The number may have been used by a purchase whose response was lost; without this text the player would buy again. */
const doneText = async (
  { answers }: ChatContext,
  bought: Promise<ChatPurchase | null>,
  { balance }: MemberDetails,
): Promise<string | null> => {
  const one = await bought;
  if (!one) return null;
  const words = await answers.words();
  return words.alreadyBought(words.times(one.quantity, shownName(one.name)), one.total, balance);
};
const lately = ({ db, now }: ChatContext, line: ChatLine) =>
  readLastPurchase(db, line, new Date(now() - lifetimeMs));

const buyAtOnce = async (
  chat: ChatContext,
  line: ChatLine,
  purchase: AskedPurchase,
  total: number,
): Promise<void> => {
  const { answers } = chat;
  const words = await answers.words();
  if (!answers.reaches(line)) {
    const what = words.times(purchase.quantity, shownName(purchase.name));
    if ((await answers.tell(line, words.buying(what, total))) !== 'told') return;
  }
  const request = { ...requestOf(purchase), expectedTotal: total };
  const placed = await chat.store.orders.place(request, line.key, actingPlayer(line), {
    source: 'chat',
    askedBy: askerOf(line),
  });
  if (!isRefusal(placed)) return tellBought(chat, line, purchase, placed.total);
  const price = await priceOf(chat, line, purchase);
  if (price === null) return;
  if (placed.refused === 'PRICE_CHANGED')
    await ask(chat, line, purchase, { total: price.total, hasChanged: true });
  else await answers.tell(line, words.notBought(words.refused));
};

const confirm = async (
  chat: ChatContext,
  line: ChatLine,
  question: OpenQuestion,
  member: MemberDetails,
): Promise<void> => {
  const { answers } = chat;
  const words = await answers.words();
  const { id, lineKey, expectedTotal } = question;
  const memberId = member.id;
  const asked = askedPurchase.parse(question.asked);
  if (expectedTotal === null) throw new Error('a question of a purchase has no price');
  const placed =
    asked.memberId === memberId
      ? await chat.store.orders.place({ ...requestOf(asked), expectedTotal }, lineKey, actingPlayer(line), {
          source: 'chat',
          askedBy: askerOf(line),
          alongside: (trx) => spendQuestion(chat, trx, id),
        })
      : null;
  if (placed && !isRefusal(placed)) {
    // An earlier order of the same line has left it open.
    await closeQuestion(chat, id);
    return tellBought(chat, line, asked, placed.total);
  }
  if (placed?.refused === 'CONFLICT') {
    const done = await doneText(chat, lately(chat, line), member);
    return void (await answers.tell(line, done ?? words.wrongNumber));
  }
  const purchase = { ...asked, memberId };
  const totalNow = (await priceOf(chat, line, purchase))?.total ?? null;
  // Another price, or another member's points, since two members were merged.
  if (totalNow !== null && (placed === null || placed.refused === 'PRICE_CHANGED'))
    return void (await ask(chat, line, purchase, {
      total: totalNow,
      followsId: id,
      hasChanged: totalNow !== expectedTotal,
    }));
  // Everyone has read the number now.
  await closeQuestion(chat, id);
  if (totalNow !== null) await answers.tell(line, words.notBought(words.refused));
};

/** An exact match of any reading comes first: `kit 2` is two kits and not one "Kit 24 hours". */
const find = async (chat: ChatContext, line: ChatLine, argument: string) => {
  const sold = await readProductsOn(chat, line.serverId);
  let found: FoundPurchase = { kind: 'none' };
  for (const { product, quantity } of parsePurchase(argument)) {
    const one = findProduct(sold, product, (place) => chat.shown.productAt(line, place));
    if (one.kind === 'one' && one.isExact) return { ...one, quantity };
    if (found.kind === 'none') found = one.kind === 'one' ? { ...one, quantity } : one;
  }
  return found;
};

/**
 * `!buy CODE [n]`. A line with a platform id immediately buys what it names exactly, at the price that the player was
 * told last. For every other line, and for a player who may have been told another price, the shop asks back with a
 * number that only the account is told, and `!buy NUMBER` buys. A line buys at most once: its key is the order's.
 */
export const buy = async (chat: ChatContext, line: ChatLine, argument: string): Promise<void> => {
  const { answers, shown } = chat;
  const words = await answers.words();
  const { typed } = await readChatRules(chat.settings);
  const member = await chat.members.ofPlayer(line.playerId);
  if (isRefusal(member)) return;
  if (isNumber(argument)) {
    const question = await chat.asking.answered(line, 'buy', argument, () =>
      doneText(chat, lately(chat, line), member),
    );
    if (question) await confirm(chat, line, question, member);
    return;
  }
  const tell = async (text: string) => void (await answers.tell(line, text));
  if (argument === '') return tell(words.howToBuy(typed('buy'), typed('shop')));
  const done = await doneText(chat, readPurchaseOf(chat.db, line), member);
  if (done !== null) return tell(done);
  const found = await find(chat, line, argument);
  if (found.kind === 'none') return tell(words.noProduct(typed('shop')));
  if (found.kind === 'several') return tell(words.severalProducts(typed('shop')));
  const { product, quantity, isExact } = found;
  if (quantity < 1 || quantity > mostPieces) return tell(words.quantityRange(mostPieces));
  const purchase = { memberId: member.id, productId: product.id, name: product.name, quantity };
  const price = await priceOf(chat, line, purchase);
  if (price === null) return;
  const { total, piece } = price;
  const told = shown.priceOf(line, product.id);
  // A discount that the player was not told about only makes it cheaper, and counts as no other price.
  const hasPrice = told !== null && told !== 'unknown';
  const hasChanged = hasPrice && (told.listed !== piece.listed || told.paid < piece.paid);
  const mayBuy = told === null || (hasPrice && told.isRead && !hasChanged);
  if (line.isProven && isExact && mayBuy) return buyAtOnce(chat, line, purchase, total);
  const sentMs = chat.now();
  const reach = await ask(chat, line, purchase, { total, hasChanged });
  if (reach !== 'not') shown.tellPrice(line, product.id, piece, sentMs);
};
