import type { Discount } from '#contracts/store/discounts.ts';

export type DiscountState = 'on' | 'off' | 'notYet' | 'over';

/** The current effect of a discount. It is valid from its first instant on, but not at its last one, as in the API. */
export const discountState = (
  { isEnabled, validFrom, validUntil }: Pick<Discount, 'isEnabled' | 'validFrom' | 'validUntil'>,
  nowMs: number,
): DiscountState => {
  if (validUntil !== null && nowMs >= Date.parse(validUntil)) return 'over';
  if (!isEnabled) return 'off';
  return validFrom !== null && nowMs < Date.parse(validFrom) ? 'notYet' : 'on';
};
