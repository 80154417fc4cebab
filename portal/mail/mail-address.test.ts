import { expect, test } from 'vitest';
import { mailAddressSchema, parseMailSender } from './mail-address.ts';

// Guarantee: an address is exactly one address: nothing in it can become a header, a second recipient or an SMTP command.
test.each([
  'a@example.com\r\nBcc: b@example.com',
  'a@example.com, b@example.com',
  'a@example.com>\r\nRCPT TO:<b@example.com',
  'A <a@example.com>',
  'a b@example.com',
  'a@example.com\0',
  `${'a'.repeat(250)}@example.com`,
  '',
])('%j is no address', (text) => {
  expect(mailAddressSchema.safeParse(text).success).toBe(false);
});

test.each([
  ['portal@shop.example', { name: '', address: 'portal@shop.example' }],
  ['Our Shop <portal@shop.example>', { name: 'Our Shop', address: 'portal@shop.example' }],
  ['"Shop, Ltd." <portal@shop.example>', { name: 'Shop, Ltd.', address: 'portal@shop.example' }],
  ['Shop\r\nBcc: x@example.com <portal@shop.example>', null],
  ['Shop <portal@shop.example> <b@example.com>', null],
  ['Shop', null],
])('the sender %j', (text, sender) => {
  expect(parseMailSender(text)).toEqual(sender);
});
