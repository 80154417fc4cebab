import type { ShopOrder } from '#contracts/storefronts/shops.ts';

/** What was bought, with the shop's own names, and the amount. */
export const linesText = ({ lines, amount }: ShopOrder): string =>
  [
    lines.map(({ product, quantity }) => (quantity === 1 ? product : `${quantity} × ${product}`)).join(', '),
    amount ? `${amount.value} ${amount.currency}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
