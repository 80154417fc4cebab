import { expect, test } from 'vitest';
import { localeEncoding } from './line-encoding.ts';

// Guarantee: lines that are not UTF-8 are read in the encoding of the machine's locale, whatever the system calls it.
test.each([
  ['ru_RU.CP1251', 'CP1251'],
  ['zh_CN.GB18030', 'GB18030'],
  ['ja_JP.eucJP', 'euc-JP'],
  ['ko_KR.eucKR', 'euc-KR'],
  ['de_DE@euro', 'iso-8859-15'],
  ['de_DE.UTF-8', 'windows-1252'],
  ['C', 'windows-1252'],
  [undefined, 'windows-1252'],
])('%s', (LANG, encoding) => {
  expect(localeEncoding({ LANG })).toBe(encoding);
  new TextDecoder(encoding);
});
