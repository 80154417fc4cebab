import { expect, test } from 'vitest';
import { createPasswordHasher } from './password-hash.ts';

const passwords = createPasswordHasher();

// Guarantee: hashes are argon2id with the recommended cost, salted, and match only their password.
test('hash and verify', async () => {
  const stored = await passwords.hash('correct horse');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.hash('correct horse')).not.toBe(stored);
  expect(await passwords.verify(stored, 'correct horse')).toBe(true);
  expect(await passwords.verify(stored, 'Correct horse')).toBe(false);
  expect(await passwords.verify(null, 'correct horse')).toBe(false);
});

// Guarantee: an accent matches however the keyboard composes it.
test('composed and decomposed', async () => {
  expect(await passwords.verify(await passwords.hash('caf\u00e9 au lait'), 'cafe\u0301 au lait')).toBe(true);
});

// Guarantee: a hash of another program, or with an older cost, is verified with its own parameters.
test('parameters stand in the hash', async () => {
  // From the reference implementation: argon2 with password "password", salt "somesalt", m=65536, t=2, p=1.
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await passwords.verify(reference, 'password')).toBe(true);
});

// Guarantee: a flood of sign-ins is refused instead of filling the memory, and sign-ins within bounds are served.
test('a flood', async () => {
  const own = createPasswordHasher({ memoryKib: 8, passes: 1, parallelism: 1 });
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => own.verify(null, 'x')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(42);
  expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'RATE_LIMITED' } });
  expect(await own.verify(null, 'x')).toBe(false);
});
