import { expect, test } from 'vitest';
import { customerEmailSchema } from './customers.ts';
import { mailAddress } from './mail-address.ts';
import { genericWebhookEvent } from './purchases.ts';
import { buyerEmailSchema } from './vendor.ts';

// Guarantee: a buyer with an address that mail servers take is let in everywhere, and mail goes to the address as it was typed; a
// domain of another script is its ASCII form.
test.each([
  ['user@xn--80a1acny.xn--p1ai', 'user@xn--80a1acny.xn--p1ai'],
  ['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'],
  ['user@MÜNCHEN.example', 'user@xn--mnchen-3ya.example'],
  ['a&b@example.com', 'a&b@example.com'],
  ["o'brien+castellan@example.co.uk", "o'brien+castellan@example.co.uk"],
  ['x!#$%*/=?^_`{|}~-y@example.com', 'x!#$%*/=?^_`{|}~-y@example.com'],
  ['Buyer@Example.COM', 'Buyer@Example.COM'],
  ['"john doe"@example.com', '"john doe"@example.com'],
  ['"a..b."@docomo.example', '"a..b."@docomo.example'],
  ['try..this..0511@docomo.example', '"try..this..0511"@docomo.example'],
  ['xxx.yyy.@docomo.example', '"xxx.yyy."@docomo.example'],
  [' user@example.com\u200b\n', 'user@example.com'],
  ['\ufeffuser@example.com.', 'user@example.com'],
  ['user@例え。テスト', 'user@xn--r8jz45g.xn--zckzah'],
  ['José@example.com', 'josé@example.com'],
  ['Jose\u0301@example.com', 'josé@example.com'],
  ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
  ['user@sub.example.museum', 'user@sub.example.museum'],
  ['1@2.example', '1@2.example'],
  [`${'a'.repeat(64)}@${'b'.repeat(63)}.example.com`, `${'a'.repeat(64)}@${'b'.repeat(63)}.example.com`],
])('%s', (text, address) => {
  expect(mailAddress().parse(text)).toBe(address);
  expect(customerEmailSchema.parse(text)).toBe(address);
  expect(buyerEmailSchema.parse(text)).toBe(address);
  const event = { type: 'purchase', id: 'e1', orderId: 'o1', email: text, plan: 'pro' };
  const taken = genericWebhookEvent.safeParse(event);
  expect(taken.data ?? taken.error?.issues.filter(({ path }) => path[0] === 'email')).toSatisfy(
    (found: unknown) =>
      Array.isArray(found) ? found.length === 0 : (found as { email: string }).email === address,
  );
});

test.each([
  'user',
  '@example.com',
  'user@',
  'user@localhost',
  'user@192.0.2.1',
  'user@[192.0.2.1]',
  'user@-example.com',
  'user@exam_ple.com',
  'user@example..com',
  '.a@example.com',
  'a.."b@example.com',
  'a..b c@example.com',
  '.@example.com',
  'user@example.com..',
  'user@.',
  'a@b@example.com',
  'a"b@example.com',
  '"a"b"@example.com',
  '"a<b"@example.com',
  '"a\\"@example.com',
  'a,b@example.com',
  'a;b@example.com',
  'a(b)@example.com',
  'Ä <b@example.com>',
  'ä\u202e@example.com',
  'ä b@example.com',
  'ä@exa mple.com',
  'ä@example.com/x',
  'ä@example.com:25',
  'ä@user@пример.рф',
  'пример.рф',
  'x@пример.рф\r\nBcc: a@b.example',
  `${'a'.repeat(65)}@example.com`,
  `a@${`${'b'.repeat(60)}.`.repeat(5)}example.com`,
])('%j is none', (text) => {
  expect(mailAddress().safeParse(text).success).toBe(false);
});
