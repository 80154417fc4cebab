import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasValidCheck, licenseKeyPattern, makeLicenseKey, parseLicenseKey } from './license-key.ts';

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

test('other text is no key', () => {
  for (const text of ['', 'CSTL', 'CSTL-0000-0000-0000-000', 'CSTL-0000-0000-0000-000U', 'x'.repeat(9999)])
    expect(parseLicenseKey(text)).toBeNull();
});
