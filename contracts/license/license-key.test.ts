import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  hasValidCheck,
  licenseKeyPattern,
  licenseKeysIn,
  makeLicenseKey,
  parseLicenseKey,
} from './license-key.ts';

const keys = fc.uint8Array({ minLength: 15, maxLength: 15 }).map(makeLicenseKey);
const positions = [5, 6, 7, 8, 10, 11, 12, 13, 15, 16, 17, 18, 20, 21, 22, 23];
const position = fc.constantFrom(...positions);
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const replaceAt = (key: string, at: number, character: string) =>
  key.slice(0, at) + character + key.slice(at + 1);

// Guarantee: issued keys are well-formed, pass their own check and survive the way people type them.
test('issued keys are read back from sloppy typing', () => {
  fc.assert(
    fc.property(keys, (key) => {
      expect(key).toMatch(licenseKeyPattern);
      const sloppy = ` ${key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
      expect(parseLicenseKey(key)).toBe(key);
      expect(parseLicenseKey(sloppy)).toBe(key);
      expect(parseLicenseKey(key.slice(5))).toBe(key);
    }),
  );
});

// Guarantee: keys with one wrong character, or any two swapped ones, never reach the portal.
test('every single typo and every swap is caught', () => {
  fc.assert(
    fc.property(keys, position, position, fc.constantFrom(...alphabet), (key, a, b, other) => {
      if (key.charAt(a) !== other) expect(hasValidCheck(replaceAt(key, a, other))).toBe(false);
      const swapped = replaceAt(replaceAt(key, a, key.charAt(b)), b, key.charAt(a));
      if (swapped !== key) expect(parseLicenseKey(swapped)).toBeNull();
    }),
    { numRuns: 2000 },
  );
});

const key = makeLicenseKey(Uint8Array.from({ length: 15 }, (_, index) => index * 7 + 2));
const other = makeLicenseKey(new Uint8Array(15).fill(9));
const between = (separator: string) => key.replaceAll('-', separator);

// Guarantee: the letters and digits of a pasted key count, whatever mails, word processors, chats and forms put around and between
// them (n8n-io/n8n#21654, harbur/kubernetic#330: lines broken by mail programs, optoolco/beta#13, DroneDB/DroneDB#232).
test.each([
  ['an en dash', between('\u2013')],
  ['an em dash', between('\u2014')],
  ['a figure dash', between('\u2012')],
  ['a non-breaking hyphen', between('\u2011')],
  ['a minus', between('\u2212')],
  ['a full-width hyphen', between('\uFF0D')],
  ['underscores', between('_')],
  ['no hyphens', between('')],
  ['zero-width spaces', [...key].join('\u200B')],
  ['soft hyphens', between('-\u00AD')],
  ['marks of direction', `\u202A${key}\u202C`],
  ['a byte order mark', `\uFEFF${key}`],
  ['UTF-16 read as bytes', [...key].join('\0')],
  ['quotes', `“${key}”`],
  ['a code of a chat', `\`\`\`\n${key}\n\`\`\``],
  ['a final dot', `${key}.`],
  [
    'full-width letters',
    [...key].map((each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0)).join(''),
  ],
  ['lower case', key.toLowerCase()],
  ['lookalikes of Cyrillic', key.replace('C', 'С').replace('T', 'Т')],
  ['entities of HTML', between('&#8209;')],
  ['tabs of a table', between('\t')],
  ['a name before it', `License key: ${key}`],
  ['a sentence around it', `Your license key is ${key}. Keep this mail, you need it again.`],
  ['a sentence on the next line, joined by a field of one line', `${key}Thank you for buying!`],
  ['a line broken in a mail', `> ${key.slice(0, 12)}\r\n> ${key.slice(12)}\r\n`],
  ['a line broken behind a hyphen', `${key.slice(0, 15)}\n${key.slice(15)}`],
  ['twice', `${key}\n${key}`],
  ['twice, joined', key + key],
  ['a link', `https://portal.example/keys?key=${key}&from=mail`],
  ['without the prefix, in words', `Key: ${key.slice(5)} (thanks)`],
  ['another one that is mistyped', `${replaceAt(other, 8, other.charAt(8) === '0' ? '1' : '0')} ${key}`],
])('%s', (_what, pasted) => {
  expect(parseLicenseKey(pasted)).toBe(key);
});

// Guarantee: of two different keys, none is taken; a missing or additional character is no key, whatever follows.
test('no key is guessed', () => {
  expect(licenseKeysIn(`old: ${key}, new: ${other}`)).toEqual([key, other]);
  expect(parseLicenseKey(`${key}\n${other}`)).toBeNull();
  for (const wrong of [
    `${key}0`,
    `${key}00 and more`,
    `${key.slice(0, -1)} please`,
    `License key: ${key.slice(0, -1)}.`,
  ])
    expect(parseLicenseKey(wrong)).toBeNull();
  expect(parseLicenseKey(`CSTL${' -'.repeat(100_000)}`)).toBeNull();
});

test('other text is no key', () => {
  for (const text of ['', 'CSTL', 'CSTL-0000-0000-0000-000', 'CSTL-0000-0000-0000-000U', 'x'.repeat(9999)])
    expect(parseLicenseKey(text)).toBeNull();
});
