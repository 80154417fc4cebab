/**
 * License keys: `CSTL-XXXX-XXXX-XXXX-XXXX`, 15 random characters of Crockford's base32 (75 bits) and a check
 * character. The check is a weighted sum over GF(32), so that every single wrong character and every two swapped
 * characters are caught before any request leaves the machine.
 */

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const prefix = 'CSTL';
const payloadLength = 15;

/** Only the shape, which requests must have; the check character is not part of it. */
export const licenseKeyPattern = /^CSTL-[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/;

/** Multiplication by the generator x of GF(32), modulo x^5 + x^2 + 1. */
const timesGenerator = (value: number): number => (value & 16 ? (value << 1) ^ 0b100101 : value << 1);

const checkCharacter = (payload: string): string => {
  let sum = 0;
  for (const character of payload) sum = timesGenerator(sum ^ alphabet.indexOf(character));
  return alphabet.charAt(sum);
};

const grouped = (characters: string): string => [prefix, ...(characters.match(/.{4}/g) ?? [])].join('-');

/** Makes a key from at least 15 random bytes, using five bits of each. */
export const makeLicenseKey = (randomBytes: Uint8Array): string => {
  if (randomBytes.length < payloadLength)
    throw new RangeError(`a license key needs ${payloadLength} random bytes`);
  const payload = Array.from(randomBytes.slice(0, payloadLength), (byte) => alphabet.charAt(byte & 31)).join(
    '',
  );
  return grouped(payload + checkCharacter(payload));
};

/**
 * Turns typed text into a key: capitals, hyphens in place, O read as 0, I and L as 1. Null if it cannot be a key, or if
 * its check character is wrong.
 */
export const parseLicenseKey = (typed: string): string | null => {
  const bare = typed
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/^C[S5]T[L1I]/, '');
  const characters = bare.replaceAll('O', '0').replace(/[IL]/g, '1');
  const key = grouped(characters);
  if (characters.length !== payloadLength + 1 || !licenseKeyPattern.test(key)) return null;
  return hasValidCheck(key) ? key : null;
};

/** Whether the last character of a well-formed key fits the others. */
export const hasValidCheck = (key: string): boolean => {
  const characters = key.slice(prefix.length).replaceAll('-', '');
  return checkCharacter(characters.slice(0, payloadLength)) === characters.charAt(payloadLength);
};
