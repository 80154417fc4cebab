import { licenseKeysIn } from '#contracts/license/license-key.ts';

/** How the text typed so far compares to a license key. */
type KeyShape = 'empty' | 'short' | 'mistyped' | 'several' | 'right';

/** The length of the random part and its check character. */
const keyLength = 16;

/** Reports no error for a key that is still being typed. */
export const keyShape = (typed: string): KeyShape => {
  // Whatever else a mail puts between the letters is no mistake.
  const bare = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}!-,./:-@[-`{-~]/gu, '');
  if (bare === '') return 'empty';
  const [key, another] = licenseKeysIn(typed);
  if (key !== undefined) return another === undefined ? 'right' : 'several';
  const characters = bare.replace(/^C[S5]T[L1I]/, '');
  return characters.length < keyLength && /^[0-9A-Z]*$/.test(characters) ? 'short' : 'mistyped';
};
