import type { Typed } from './product-draft.ts';

/** What a number field hands over; what is not a number yet is empty. */
export const typedNumber = (typed: string | number): Typed => {
  const number = typeof typed === 'number' ? typed : Number.parseFloat(typed);
  return Number.isFinite(number) ? number : '';
};
