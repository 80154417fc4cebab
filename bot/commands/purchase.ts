import { setTimeout as delay } from 'node:timers/promises';
import {
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ButtonStyle,
} from 'discord.js';
import { discordUsersHttp, type ShopProduct } from '#contracts/discord/discord-users.ts';
import { plural } from '#contracts/kernel/language.ts';
import type { OrderRefusalWhy } from '#contracts/store/orders.ts';
import { cut } from '../cut.ts';
import {
  type Asked,
  type AskedChoices,
  type Button,
  button,
  card,
  type Reply,
  row,
  says,
} from './command.ts';
import { faultText, isUncertain } from './faults.ts';
import { described, type Language, named, numberText, pointsText, relativeTime, words } from './language.ts';
import { nameText } from './text.ts';

/** With a code this long, the id of the button that buys is as long as Discord allows. */
const longestCode = 24;

/** What `/buy`, `/gift` and the shop share: an offer with a button, and one order per offer. */

export const productOption = {
  type: ApplicationCommandOptionType.String as const,
  ...named('product', 'produto'),
  ...described('The product; choose one from the list', 'O produto; escolha um da lista'),
  required: true,
  autocomplete: true as const,
};

export const quantityOption = {
  type: ApplicationCommandOptionType.Integer as const,
  ...named('quantity', 'quantidade'),
  ...described('How many (one by default)', 'Quantos (um, se você não disser)'),
  min_value: 1,
  max_value: 1000,
};

export const codeOption = {
  type: ApplicationCommandOptionType.String as const,
  ...named('code', 'codigo'),
  ...described('Discount code', 'Código de desconto'),
  max_length: longestCode,
};

const texts = words(
  {
    confirm: (what: string) => `Buy ${what}?`,
    forWhom: (name: string) => `For ${name}`,
    price: (total: string, left: string) => `It costs **${total}**. You will have ${left} left.`,
    buy: 'Buy',
    cancel: 'Cancel',
    cancelled: 'Nothing was bought.',
    done: (left: string) =>
      `Bought. It is delivered as soon as the player is on the server. See \`/deliveries\`. You have ${left} left.`,
    noProduct: (name: string) => `${name} is not for sale. Choose a product from the list.`,
    uncertain:
      'It is not known whether this was ordered. Press the button again. You are never charged twice.',
    points: (total: string, balance: string) => `It costs ${total} and you have ${balance}.`,
    stock: (left: number) => (left === 0 ? 'It is sold out.' : `Only ${left} left.`),
    perMember: (most: number, has: number) => `At most ${most} for each player. There are already ${has}.`,
    perPeriod: (most: number, days: number) => `At most ${most} in ${plural.en(days, 'day', 'days')}.`,
    cooldown: (until: string) => `It can be bought again ${until}.`,
    size: 'This is too much for one order. Buy less at once.',
    price_changed: 'The price has changed.',
    discount: (name: string, saved: string) => `${name}: you save ${saved}.`,
    codeUnused: 'Your code was not used, because this discount saves more.',
    until: (time: string) => `until ${time}`,
    code: {
      unknown: 'No discount has this code.',
      'not-yet': 'This code is not valid yet.',
      ended: 'This code has expired.',
      'used-up': 'This code has been used up.',
      used: 'You cannot use this code again.',
      role: 'This code is for members with another role on this Discord server.',
      products: 'This code is not for this product.',
    },
  },
  {
    confirm: (what: string) => `Comprar ${what}?`,
    forWhom: (name: string) => `Para ${name}`,
    price: (total: string, left: string) => `Custa **${total}**. Você ficará com ${left}.`,
    buy: 'Comprar',
    cancel: 'Cancelar',
    cancelled: 'Nada foi comprado.',
    done: (left: string) =>
      `Comprado. A entrega é feita assim que o jogador estiver no servidor. Veja \`/entregas\`. Você ainda tem ${left}.`,
    noProduct: (name: string) => `${name} não está à venda. Escolha um produto da lista.`,
    uncertain: 'Não se sabe se o pedido foi feito. Aperte o botão de novo. Você nunca é cobrado duas vezes.',
    points: (total: string, balance: string) => `Custa ${total} e você tem ${balance}.`,
    stock: (left: number) =>
      left === 0 ? 'Está esgotado.' : `Só ${left === 1 ? 'resta' : 'restam'} ${left}.`,
    perMember: (most: number, has: number) => `No máximo ${most} por jogador. Já são ${has}.`,
    perPeriod: (most: number, days: number) => `No máximo ${most} em ${plural.pt(days, 'dia', 'dias')}.`,
    cooldown: (until: string) => `Pode ser comprado de novo ${until}.`,
    size: 'Isto é demais para um pedido. Compre menos de cada vez.',
    price_changed: 'O preço mudou.',
    discount: (name: string, saved: string) => `${name}: você economiza ${saved}.`,
    codeUnused: 'Seu código não foi usado, porque este desconto é maior.',
    until: (time: string) => `até ${time}`,
    code: {
      unknown: 'Nenhum desconto tem este código.',
      'not-yet': 'Este código ainda não vale.',
      ended: 'Este código venceu.',
      'used-up': 'Este código já foi todo usado.',
      used: 'Você não pode usar este código de novo.',
      role: 'Este código é para membros com outro cargo neste servidor do Discord.',
      products: 'Este código não é para este produto.',
    },
  },
);

export const completeProducts = async ({
  api,
  language,
  focused,
}: AskedChoices): Promise<readonly APIApplicationCommandOptionChoice<string>[]> => {
  const text = focused.value.trim().slice(0, 100);
  const { rows } = await api(discordUsersHttp.products, { query: { text } });
  return rows.map(({ id, name, price }) => ({
    name: `${cut(name, 80)} · ${numberText(price, language)}`,
    value: id,
  }));
};

/** A choice from the list, or a name that only one product has. */
const findProduct = async ({ api }: Asked, chosen: string): Promise<string> => {
  const text = chosen.trim();
  const { rows } = await api(discordUsersHttp.products, { query: { text: text.slice(0, 100) } });
  const same = rows.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  return same.length === 1 && same[0] ? same[0].id : chosen;
};

interface Purchase {
  readonly productId: string;
  readonly quantity: number;
  /** A Discord account; null: the buyer's own. */
  readonly receiverId: string | null;
  /** Absent: none was typed. */
  readonly discountCode?: string | null;
}

export const offerTyped = async (asked: Asked, { productId, ...purchase }: Purchase): Promise<Reply> =>
  offer(asked, { productId: await findProduct(asked, productId), ...purchase });

/** Shows the price and a button that buys. Only the button's id remembers the offer, so it works after a restart. */
const offer = async (asked: Asked, purchase: Purchase): Promise<Reply> => {
  const { api, id, language } = asked;
  const text = texts[language];
  const { productId, quantity, receiverId, discountCode = null } = purchase;
  const preview = /^[\w-]{1,64}$/.test(productId)
    ? await api(discordUsersHttp.preview, { body: purchase })
    : null;
  if (!preview?.product) return says(text.noProduct(nameText(productId)));
  const { product, total, balance, receiverName, discount, refusals } = preview;
  const what = quantity === 1 ? nameText(product.name) : `${quantity} × ${nameText(product.name)}`;
  const lines = [
    ...(receiverId === null ? [] : [text.forWhom(`<@${receiverId}> (${nameText(receiverName)})`)]),
    ...(refusals.length > 0
      ? refusals.map((why) => `⚠️ ${refusalText(why, language)}`)
      : [text.price(pointsText(total, language), numberText(balance - total, language))]),
    ...(discount ? [text.discount(nameText(discount.name), pointsText(discount.saved, language))] : []),
    ...(discount && !discount.isByCode && discountCode !== null && refusals.length === 0
      ? [text.codeUnused]
      : []),
  ];
  const usedCode = discount?.isByCode && discountCode !== null ? [discountCode] : [];
  const values = [id, productId, String(quantity), receiverId ?? '', String(total), ...usedCode];
  return {
    embeds: [card({ title: text.confirm(what), text: lines.join('\n') })],
    components: [
      row([
        ...(refusals.length === 0
          ? [button(['buy', 'yes', ...values], { label: text.buy, style: ButtonStyle.Success })]
          : []),
        button(['buy', 'no'], { label: text.cancel }),
      ]),
    ],
  };
};

const refusalText = (why: OrderRefusalWhy, language: Language): string => {
  const text = texts[language];
  switch (why.kind) {
    case 'points':
      return text.points(pointsText(why.total, language), numberText(why.balance, language));
    case 'price':
      return text.price_changed;
    case 'stock':
      return text.stock(why.left);
    case 'per-member':
      return text.perMember(why.most, why.has);
    case 'per-period':
      return text.perPeriod(why.most, why.days);
    case 'cooldown':
      return text.cooldown(relativeTime(why.until));
    case 'code':
      return text.code[why.fault];
    case 'size':
      return text.size;
    case 'said':
      return nameText(why.detail, 300);
  }
};

const retryMs = 1000;

/** Bound to the offer: a second click, a second bot or a retry gives the same order. */
const order = async ({ api }: Asked, values: readonly string[]) => {
  const [offerId = '', productId = '', quantity = '1', receiverId = '', total = '0', discountCode = null] =
    values;
  const body = {
    productId,
    quantity: Number(quantity),
    receiverId: receiverId === '' ? null : receiverId,
    expectedTotal: Number(total),
    discountCode,
  };
  const place = () => api(discordUsersHttp.order, { body }, { idempotencyKey: `discord-offer:${offerId}` });
  try {
    return await place();
  } catch (error) {
    if (!isUncertain(error)) throw error;
    await delay(retryMs);
    return place();
  }
};

export const purchaseButtons: Readonly<Record<string, Button>> = {
  offer: {
    answers: 'reply',
    press: (asked, [productId = '']) => offer(asked, { productId, quantity: 1, receiverId: null }),
  },
  yes: {
    answers: 'update',
    isDecision: true,
    async press(asked, values) {
      const { language } = asked;
      try {
        const { balance } = await order(asked, values);
        return says(texts[language].done(pointsText(balance, language)));
      } catch (error) {
        if (!isUncertain(error)) return says(`⚠️ ${faultText(error, language)}`);
        // Pressed again, the button shows the result. Cancelling is no longer possible: it may already have been bought.
        const again = button(['buy', 'yes', ...values], {
          label: texts[language].buy,
          style: ButtonStyle.Success,
        });
        return {
          content: `⚠️ ${faultText(error, language)} ${texts[language].uncertain}`,
          components: [row([again])],
        };
      }
    },
  },
  no: { answers: 'update', press: async ({ language }) => says(texts[language].cancelled) },
};

export const priceText = (
  { price, basePrice, priceUntil, stock }: ShopProduct,
  language: Language,
): string => {
  const text = texts[language];
  const usual = price === basePrice ? '' : `~~${numberText(basePrice, language)}~~ `;
  const until = usual === '' || priceUntil === null ? [] : [text.until(relativeTime(priceUntil))];
  const left = stock === null ? [] : [text.stock(stock)];
  return [`${usual}**${pointsText(price, language)}**`, ...until, ...left].join(' · ');
};
