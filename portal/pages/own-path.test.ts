import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

// Guarantee: the return path in a form never leads to another site.
test.each([
  ['/account/licenses/lic_1?notice=ended', '/account/licenses/lic_1?notice=ended'],
  ['http://localhost:9/account#content', '/account'],
  ['https://evil.example/account', '/account'],
  ['//evil.example/account', '/account'],
  ['/\\evil.example/account', '/account'],
  ['https://evil.example//other.example', '/otherwise'],
  ['/.//other.example', '/otherwise'],
  ['javascript:alert(1)', '/otherwise'],
  ['data:text/html,x', '/otherwise'],
  ['http://[', '/otherwise'],
  ['', '/'],
  [`/${'a'.repeat(5000)}`, '/otherwise'],
])('%s', (address, path) => {
  expect(ownPath(address, '/otherwise')).toBe(path);
});
