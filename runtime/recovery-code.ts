import { randomInt } from 'node:crypto';

const codeCount = 10;
const groups = 4;
const groupLength = 4;
/** Crockford's: nothing in it is mistaken for another. Sixteen of them are 80 bits, too many to try against a hash. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const newCode = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-');

/** Codes that let somebody in once each, without the authenticator. */
export const newRecoveryCodes = (): readonly string[] => Array.from({ length: codeCount }, newCode);

/** However it is typed in. */
export const normalizeRecoveryCode = (code: string): string =>
  code
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
