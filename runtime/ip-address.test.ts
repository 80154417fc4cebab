import { expect, test } from 'vitest';
import { canonicalAddress } from './ip-address.ts';

// Guarantee: an address is judged the same, however it is spelled.
test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['0:0:0:0:0:FFFF:0a00:0001', '10.0.0.1'],
  ['::ffff:0:0', '0.0.0.0'],
  ['fe80::1%eth0', null],
  ['999.1.1.1', null],
  ['f', null],
  ['', null],
])('%s is %s', (text, address) => {
  expect(canonicalAddress(text)).toBe(address);
});
