import { expect, test } from 'vitest';
import { shopsHttp } from '../storefronts/shops.ts';
import { hasLooseEnds } from './pasted-text.ts';

// Guarantee: a password with what a paste may have added is noticed and kept as it is; a shop's secret, which has no such characters,
// loses them.
test.each([
  ['hunter22 ', true],
  ['\thunter22', true],
  ['hunter\u200B22', true],
  ['\uFEFFhunter22', true],
  ['hunter 22', false],
  ['"hunter22"', false],
  ['', false],
])('%j', (text, isLoose) => {
  expect(hasLooseEnds(text)).toBe(isLoose);
});

test("a shop's secret", () => {
  const secret = 'whsec_0123456789abcdef';
  const { body } = shopsHttp.addSecret;
  expect(body.parse({ secret: ` \u200B${secret}\uFEFF\n` })).toEqual({ secret });
  expect(body.safeParse({ secret: `${secret} and` }).success).toBe(false);
});
