import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret } from './secret.ts';
import { createSecretBox, TamperedError, UnknownKeyError } from './secret-box.ts';

const newKey = () => new Secret(randomBytes(32).toString('hex'));

// Guarantee: a sealed value opens again, even after the key was rotated.
test('a rotated box still reads what the older key sealed', () => {
  const [old, next] = [newKey(), newKey()];
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const sealed = createSecretBox([old]).seal(text, 'servers:1');
      const box = createSecretBox([next, old]);
      expect(box.open(sealed, 'servers:1').toString()).toBe(Buffer.from(text).toString());
      expect(box.seal(text, 'servers:1').split('.')[1]).toBe(box.keyId);
    }),
  );
});

// Guarantee: a swapped, cut, changed or foreign ciphertext never yields a secret.
test('a ciphertext opens only whole, in its own place and under its own key', () => {
  const box = createSecretBox([newKey()]);
  const sealed = box.seal('hunter2', 'servers:1');
  const flipped = sealed.slice(0, -2) + (sealed.at(-2) === 'A' ? 'B' : 'A') + sealed.at(-1);
  const withoutBody = sealed.slice(0, sealed.lastIndexOf('.'));
  for (const bad of [
    sealed.slice(0, -4),
    withoutBody,
    flipped,
    'v1',
    `v0${sealed.slice(2)}`,
    sealed.slice(0, 20),
  ])
    expect(() => box.open(bad, 'servers:1')).toThrow(TamperedError);
  expect(() => box.open(sealed, 'servers:2')).toThrow(TamperedError);
  expect(() => createSecretBox([newKey()]).open(sealed, 'servers:1')).toThrow(UnknownKeyError);
});
