import type { ShopOrder } from '#contracts/shops.ts';

/** What was bought, as the shop names it, and for how much. */
export const linesText = ({ lines, amount }: ShopOrder): string =>
  [
    lines.map(({ product, quantity }) => (quantity === 1 ? product : `${quantity} × ${product}`)).join(', '),
    amount ? `${amount.value} ${amount.currency}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
