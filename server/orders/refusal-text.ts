import type { DiscountCodeFault, OrderRefusalWhy } from '#contracts/orders.ts';
import { reasonOf } from '#contracts/reasons.ts';

export const said = (detail: string): OrderRefusalWhy => ({ kind: 'said', detail, reason: reasonOf(detail) });

const codeFaults: Readonly<Record<DiscountCodeFault, string>> = {
  unknown: 'No discount has this code.',
  'not-yet': 'This code is not valid yet.',
  ended: 'This code is not valid any more.',
  'used-up': 'This code is used up.',
  used: 'This member cannot use this code again.',
  role: 'This code is for members with certain roles on the Discord server.',
  products: 'This code is for other products.',
};

/** In English. */
export const refusalText = (why: OrderRefusalWhy): string => {
  switch (why.kind) {
    case 'points':
      return `The order costs ${why.total} points; the wallet holds ${why.balance}.`;
    case 'price':
      return `The order costs ${why.total} points now.`;
    case 'stock':
      return `${why.left} are left.`;
    case 'per-member':
      return `A member can have ${why.most} in all, and has ${why.has}.`;
    case 'per-period': {
      const freed = why.until === null ? '' : `; the first of them counts until ${why.until}`;
      return `A member can have ${why.most} in ${why.days} days, and has ${why.has}${freed}.`;
    }
    case 'cooldown':
      return `The next order of this member is possible at ${why.until}.`;
    case 'code':
      return codeFaults[why.fault];
    case 'size':
      return `The order would become ${why.count} deliveries; at most ${why.most} are possible at once.`;
    case 'said':
      return why.detail;
  }
};
