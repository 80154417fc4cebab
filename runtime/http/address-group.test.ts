import { expect, test } from 'vitest';
import { addressGroup, countedAddress } from './address-group.ts';

// Guarantee: an address counts once, however it is written; an IPv6 customer counts once for the whole /64.
test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2::/64'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['::ffff:203.0.113.7:4711', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['"[2001:db8:1:2::1]:4711"', '2001:db8:1:2::/64'],
  ['"203.0.113.7:_hidden"', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6:4711', '2001:db8:1:2::/64'],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

// Guarantee: text that is not an address does not count as one, so that free text cannot create a new client each time.
test.each([
  '',
  'unknown',
  '192.0.2.7%eth0',
  '1.2.3',
  '1.2.3:80',
  ':80',
  '203.0.113.7:',
  '[203.0.113.7',
  '_hidden',
  'x'.repeat(5000),
])('%s is none', (text) => {
  expect(addressGroup(text)).toBeNull();
});

// Guarantee: free text in place of an address shares one budget, however many spellings it has.
test('what is no address counts by the next one, else together', () => {
  expect(countedAddress('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
  expect(countedAddress('unknown', '::ffff:198.51.100.1')).toBe('198.51.100.1');
  expect(countedAddress('203.0.113.7:4711')).toBe('203.0.113.7');
  expect(countedAddress('nonsense', undefined)).toBe('unknown');
});
