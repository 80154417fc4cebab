import { randomInt } from 'node:crypto';

/** Crockford's base32, 5 bits a letter: none of them is mistaken for another. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const groupLength = 4;

/** A code that a person types, 20 bits a group, such as `K7WD-3M9P`. */
export const newTypedCode = (groups: number): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-');

/** What a person typed, without what they may get wrong: capitals, separators, O for 0, I and L for 1. */
export const normalizeTypedCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

/** Of a normalized code. */
export const isInAlphabet = (code: string): boolean => [...code].every((letter) => alphabet.includes(letter));
