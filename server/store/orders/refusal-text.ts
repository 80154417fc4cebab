import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { DiscountCodeFault, OrderRefusalWhy } from '#contracts/store/orders.ts';

export const said = (detail: string): OrderRefusalWhy => ({ kind: 'said', detail, reason: reasonOf(detail) });

const codeFaults: Readonly<Record<DiscountCodeFault, string>> = {
  unknown: reasons['discount-code-unknown'],
  'not-yet': reasons['discount-code-not-yet'],
  ended: reasons['discount-code-ended'],
  'used-up': reasons['discount-code-used-up'],
  used: reasons['discount-code-used'],
  role: reasons['discount-code-role'],
  products: reasons['discount-code-products'],
};

/** In English. */
export const refusalText = (why: OrderRefusalWhy): string => {
  switch (why.kind) {
    case 'points':
      return reasons['order-points'](why.total, why.balance);
    case 'price':
      return reasons['order-price'](why.total);
    case 'stock':
      return reasons['order-stock'](why.left);
    case 'per-member':
      return reasons['order-per-member'](why.most, why.has);
    case 'per-period':
      return why.until === null
        ? reasons['order-per-period'](why.most, why.days, why.has)
        : reasons['order-per-period-until'](why.most, why.days, why.has, why.until);
    case 'cooldown':
      return reasons['order-cooldown'](why.until);
    case 'code':
      return codeFaults[why.fault];
    case 'size':
      return reasons['order-too-large'](why.count, why.most);
    case 'said':
      return why.detail;
  }
};
