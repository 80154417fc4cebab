import { type ShopAmount, shopAmount } from '#contracts/storefronts/shop-webhooks.ts';

const decimal = /^\d{1,12}(?:\.\d{1,4})?$/;

/** Reads an amount as people and other shops write it: a number, a comma, a lower-case currency. Null: unreadable. */
export const readShopAmount = (given: unknown): ShopAmount | null => {
  const { value, currency } = { ...(given as { value?: unknown; currency?: unknown } | null) };
  const text = String(value).trim();
  const read = {
    value: decimal.test(text) ? text : text.replace(/^(\d{1,12}),(\d{1,2})$/, '$1.$2'),
    currency: String(currency).trim().toUpperCase(),
  };
  return shopAmount.safeParse(read).data ?? null;
};
