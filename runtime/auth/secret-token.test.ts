import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../redact.ts';
import { Secret } from '../secret.ts';
import {
  equalBytes,
  isSecret,
  isToken,
  newSecretToken,
  redactedPrefixes,
  tokenDigest,
} from './secret-token.ts';

// Guarantee: a token is still found by what the databases of released versions store of it.
test('the digest of a token is its SHA-256', () => {
  fc.assert(
    fc.property(fc.string(), (text) =>
      tokenDigest(text).equals(createHash('sha256').update(text, 'utf8').digest()),
    ),
  );
});

// Guarantee: a token matches its own digest alone, and no length or content of the text shown makes the comparison throw.
test('only the same token fits', () => {
  const token = newSecretToken('cse');
  expect(isToken(token, tokenDigest(token))).toBe(true);
  expect(isSecret(token, new Secret(token))).toBe(true);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (shown) => {
      expect(isToken(shown, tokenDigest(token))).toBe(false);
      expect(isToken(shown, Buffer.from(token))).toBe(false);
      expect(isSecret(shown, new Secret(token))).toBe(false);
      expect(equalBytes(Buffer.from(shown), tokenDigest(token))).toBe(false);
    }),
  );
});

// Guarantee: no two tokens are the same, and none of them reaches a log.
test.each(redactedPrefixes)('a token %s_… is long, new each time and cut out of logs', (prefix) => {
  const token = newSecretToken(prefix);
  expect(token).toMatch(new RegExp(`^${prefix}_[\\w-]{43}$`));
  expect(newSecretToken(prefix)).not.toBe(token);
  expect(createRedactor()(`a line with ${token}.`)).toBe(`a line with ${prefix}_[redacted].`);
});
