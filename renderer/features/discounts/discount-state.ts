import type { Discount } from '#contracts/discounts.ts';

export type DiscountState = 'on' | 'off' | 'notYet' | 'over';

/** What a discount does now. It is valid from its first instant on, and not at its last, as the API counts. */
export const discountState = (
  { isEnabled, validFrom, validUntil }: Pick<Discount, 'isEnabled' | 'validFrom' | 'validUntil'>,
  nowMs: number,
): DiscountState => {
  if (validUntil !== null && nowMs >= Date.parse(validUntil)) return 'over';
  if (!isEnabled) return 'off';
  return validFrom !== null && nowMs < Date.parse(validFrom) ? 'notYet' : 'on';
};
