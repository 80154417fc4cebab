import { expect, test } from 'vitest';
import { newPassword } from '#contracts/kernel/person-name.ts';
import { suggestedPassword } from './suggested-password.ts';

// Guarantee: a suggested password is long enough for the API, easy to read out, and never the same twice.
test('suggested passwords', () => {
  const suggested = Array.from({ length: 200 }, suggestedPassword);
  for (const password of suggested) {
    expect(password).toMatch(/^(?:[a-km-np-z2-9]{5}-){3}[a-km-np-z2-9]{5}$/);
    expect(newPassword.safeParse(password).success).toBe(true);
  }
  expect(new Set(suggested).size).toBe(suggested.length);
});
