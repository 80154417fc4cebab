import { expect, test } from 'vitest';
import { settingsSections } from './settings.ts';

const name = (text: unknown) => settingsSections.general.fields.communityName.schema.safeParse(text);

// Guarantee: a community has the name that people use for it, in any script; nothing in it can break or turn the text around it.
test.each([
  'A',
  'x'.repeat(200),
  '🏰'.repeat(200),
  'مجتمع القلعة',
  'קהילת המבצר \u200f!',
  '👩‍👩‍👧 Família 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'Z̵̛a̶l̷g̸o',
  'The “Keep” & <b>sons</b>',
])('%s is a name', (text) => {
  expect(name(text).data).toBe(text.normalize('NFC'));
});
test.each([
  ['', 'nothing'],
  ['   ', 'spaces'],
  ['\u200d\u200f', 'only what cannot be seen'],
  ['x'.repeat(201), '201 characters'],
  ['two\nlines', 'a line break'],
  ['bell\u0007', 'a control character'],
  ['a\u202eb', 'an override of the direction'],
  ['a\u2066b', 'an isolate'],
  ['half \ud800', 'half a character'],
])('%j is none: %s', (text) => {
  expect(name(text).success).toBe(false);
});
test('composed and without spaces around it', () => {
  expect(name('  Forteresse de l’e\u0301te\u0301 ').data).toBe('Forteresse de l’\u00e9t\u00e9');
});
