import { expect, test } from 'vitest';
import { readCodePage } from '#runtime/windows/code-page.ts';
import { lettersOutside, lettersUnfitForPrograms } from './code-page.ts';

// Guarantee: letters in a folder that the machine's code page lacks are named; those that it has are accepted.
test('letters by code page', () => {
  expect(lettersOutside(1252, 'C:\\Größe – Équipe')).toEqual([]);
  expect(lettersOutside(1252, 'C:\\Łódź Игры')).toEqual(['Ł', 'ź', 'И', 'г', 'р', 'ы']);
  expect(lettersOutside(1250, 'C:\\Łódź')).toEqual([]);
  expect(lettersOutside(1251, 'C:\\Игры')).toEqual([]);
  expect(lettersOutside(932, 'C:\\ゲーム 日本')).toEqual([]);
  expect(lettersOutside(932, 'C:\\ü🎮')).toEqual(['ü', '🎮']);
  expect(lettersOutside(936, 'D:\\游戏')).toEqual([]);
  // UTF-8 has all letters; an unknown code page is not judged.
  expect(lettersOutside(65001, 'C:\\Łódź 日本 🎮')).toEqual([]);
  expect(lettersOutside(1, 'C:\\日本')).toEqual([]);
});

// Guarantee: it is read as a number from what Windows prints in any language; what cannot be read is unknown, and no failure.
test("the machine's code page", async () => {
  const printed =
    '\r\nHKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage\r\n    ACP    REG_SZ    1252\r\n\r\n';
  expect(await readCodePage(async () => printed)).toBe(1252);
  expect(await readCodePage(async () => '')).toBeNull();
  expect(await readCodePage(() => Promise.reject(new Error('no reg.exe')))).toBeNull();
});

// Guarantee: Postgres's own folder may have letters only where paths are in UTF-8: initdb puts its path into SQL
// (EnterpriseDB/edb-installers#156: `D:\Spiele für Jörg`, invalid byte sequence).
test("letters in the path of Postgres's programs", () => {
  const folder = 'D:\\Spiele für Jörg\\Castellan';
  for (const codePage of [1252, 932, 1])
    expect(lettersUnfitForPrograms(codePage, folder)).toEqual(['ü', 'ö']);
  expect(lettersUnfitForPrograms(1252, 'C:\\Program Files\\Castellan & (100%)!')).toEqual([]);
  for (const codePage of [65_001, null]) expect(lettersUnfitForPrograms(codePage, folder)).toEqual([]);
});
