import { parseLicenseKey } from '#contracts/license-key.ts';

/** How what was typed so far stands to a license key. */
export type KeyShape = 'empty' | 'short' | 'mistyped' | 'right';

/** Of the random part and its check character. */
const keyLength = 16;

/** Says nothing against a key that is still being typed. */
export const keyShape = (typed: string): KeyShape => {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '');
  if (bare === '') return 'empty';
  if (parseLicenseKey(typed) !== null) return 'right';
  const characters = bare.replace(/^C[S5]T[L1I]/, '');
  return characters.length < keyLength && /^[0-9A-Z]*$/.test(characters) ? 'short' : 'mistyped';
};
