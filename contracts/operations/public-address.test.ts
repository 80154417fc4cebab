import { expect, test } from 'vitest';
import { publicAddressText } from './public-address.ts';

// Guarantee: an address as a browser shows it is taken, and one below a path is refused with the reason.
test.each([
  ['https://panel.example.com/#/settings/general', 'https://panel.example.com'],
  [' https://panel.example.com/ ', 'https://panel.example.com/'],
  ['http://192.168.1.5:3000#', 'http://192.168.1.5:3000'],
  ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
  ['https://панель.рф', 'https://панель.рф'],
  ['', ''],
])('%j', (typed, address) => {
  expect(publicAddressText.parse(typed)).toBe(address);
});

test.each([
  ['https://example.com/castellan/', /without a path/],
  ['https://example.com/castellan', /without a path/],
  ['https://example.com/castellan/#/servers', /without a path/],
  ['https://example.com/?a=1', /such as https/],
  ['https://user@example.com', /such as https/],
  ['panel.example.com', /such as https/],
  ['https://', /such as https/],
])('%j is refused', (typed, words) => {
  const { error } = publicAddressText.safeParse(typed);
  expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(words)]);
});
