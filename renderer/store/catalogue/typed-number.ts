import type { Typed } from './product-draft.ts';

/** The value of a number field; empty while it is not a number yet. */
export const typedNumber = (typed: string | number): Typed => {
  const number = typeof typed === 'number' ? typed : Number.parseFloat(typed);
  return Number.isFinite(number) ? number : '';
};
