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

/** Letters of other alphabets that look like ours, as another keyboard types them. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('АВЕКМНОРСТУХаеорсух', (letter, index) => [letter, 'ABEKMHOPCTYXaeopcyx'.charAt(index)]),
);

/** Whatever hyphens, quotes, line breaks and invisible characters a mail puts between: 16 letters and digits after the prefix. */
const prefixed = /(?=(c[^0-9a-z]*[s5][^0-9a-z]*t[^0-9a-z]*[l1i](?:[^0-9a-z]*[0-9a-tv-z]){16}))/gi;
const prefixAlone = /(?<![0-9a-z])c[^0-9a-z]*[s5][^0-9a-z]*t[^0-9a-z]*[l1i](?![a-z]{2})/i;
const fourGroups = /(?=(?<![0-9a-z])([0-9a-tv-z]{4}(?:[^0-9a-z]+[0-9a-tv-z]{4}){3}))/gi;

/** More is no mail with a key, and would take long. */
const longestText = 20_000;

/**
 * The keys in typed or pasted text, such as a mail, each once: capitals, hyphens in place, O read as 0, I and L as 1. Its check
 * character decides whether something is a key.
 */
export const licenseKeysIn = (typed: string): string[] => {
  const text = typed
    .slice(0, longestText)
    .normalize('NFKC')
    .replace(/&#?\w{2,8};/g, ' ')
    .replace(/[А-х]/g, (letter) => lookalikes[letter] ?? letter);
  const found = endingIn(text, prefixed);
  // A part of a mistyped key is none.
  const candidates =
    found.length > 0 || prefixAlone.test(text)
      ? found
      : [text.replace(/[^0-9a-z]/gi, ''), ...endingIn(text, fourGroups)];
  return [...new Set(candidates.flatMap((candidate) => keyOf(candidate) ?? []))];
};

/** Matches that end where a word ends. A field of one line joins what stood on two, such as a key and its copy, or a sentence. */
const endingIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].flatMap(({ index, 1: match = '' }) => {
    const rest = text.slice(index + match.length, index + match.length + 4);
    const ends =
      !/^[0-9a-z]/i.test(rest) ||
      /^c[s5]t[l1i]/i.test(rest) ||
      (/^[A-Z][a-z]/.test(rest) && !/[a-z]/.test(match));
    return ends ? [match] : [];
  });

const keyOf = (candidate: string): string | null => {
  const characters = candidate
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/^C[S5]T[L1I]/, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const key = grouped(characters);
  if (characters.length !== payloadLength + 1 || !licenseKeyPattern.test(key)) return null;
  return hasValidCheck(key) ? key : null;
};

/** The only key in typed text ({@link licenseKeysIn}); null if there is none, or if there are several. */
export const parseLicenseKey = (typed: string): string | null => {
  const [key, another] = licenseKeysIn(typed);
  return key === undefined || another !== undefined ? null : key;
};

/** Whether the last character of a well-formed key fits the others. */
export const hasValidCheck = (key: string): boolean => {
  const characters = key.slice(prefix.length).replaceAll('-', '');
  return checkCharacter(characters.slice(0, payloadLength)) === characters.charAt(payloadLength);
};
