import { expect, test } from 'vitest';
import { plainText } from './plain-text.ts';

// Guarantee: no control character in a game's text reaches the page, and nothing readable is lost.
test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007shown', 'shown'],
  ['§aGreen §lbold§r', 'Green bold'],
  ['a\r\nb\rc', 'a\nb\nc'],
  ['bell\u0007 nul\u0000', 'bell\u2407 nul\u2400'],
  ['\u009b', '\u{fffd}'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['§', '§'],
  ['tab\there', 'tab\there'],
  ['שלום 👋', 'שלום 👋'],
])('%j is shown as %j', (text, shown) => {
  expect(plainText(text)).toBe(shown);
});
