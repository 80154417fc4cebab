import { expect, test } from 'vitest';
import { addressGroup } from './address-group.ts';

// Guarantee: an address counts once, however it is written; an IPv6 customer counts once for the whole /64.
test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2::/64'],
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

// Guarantee: what is no address is not counted as one, so that a free text cannot make a new client each time.
test.each(['', 'unknown', '203.0.113.7:4711', '[2001:db8::1]', '1.2.3', 'x'.repeat(5000)])(
  '%s is none',
  (text) => {
    expect(addressGroup(text)).toBeNull();
  },
);
