import { randomInt } from 'node:crypto';

/** Crockford's base32, 5 bits per letter: no letter is easily mistaken for another. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const groupLength = 4;

/** A code that a person types, 20 bits per group, such as `K7WD-3M9P`. */
export const newTypedCode = (groups: number): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-');

/** The typed code without what people get wrong: capitals, separators, O for 0, I and L for 1. */
export const normalizeTypedCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');

/** Expects a normalized code. */
export const isInAlphabet = (code: string): boolean => [...code].every((letter) => alphabet.includes(letter));
