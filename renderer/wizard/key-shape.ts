import { parseLicenseKey } from '#contracts/license-key.ts';

/** How the text typed so far compares to a license key. */
export type KeyShape = 'empty' | 'short' | 'mistyped' | 'right';

/** The length of the random part and its check character. */
const keyLength = 16;

/** Reports no error for a key that is still being typed. */
export const keyShape = (typed: string): KeyShape => {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '');
  if (bare === '') return 'empty';
  if (parseLicenseKey(typed) !== null) return 'right';
  const characters = bare.replace(/^C[S5]T[L1I]/, '');
  return characters.length < keyLength && /^[0-9A-Z]*$/.test(characters) ? 'short' : 'mistyped';
};
