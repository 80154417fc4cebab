import { expect, test } from 'vitest';
import { readCodePage } from '#runtime/windows/code-page.ts';
import { lettersFault, lettersOutside, lettersUnfitForPrograms } from './path-letters.ts';

// Guarantee: letters in a folder that the machine's code page lacks are named; those that it has are accepted.
test('letters by code page', () => {
  expect(lettersOutside(1252, 'C:\\Größe – Équipe')).toEqual([]);
  expect(lettersOutside(1252, 'C:\\Łódź Игры')).toEqual(['Ł', 'ź', 'И', 'г', 'р', 'ы']);
  expect(lettersOutside(1250, 'C:\\Łódź')).toEqual([]);
  expect(lettersOutside(1251, 'C:\\Игры')).toEqual([]);
  expect(lettersOutside(932, 'C:\\ゲーム 日本')).toEqual([]);
  expect(lettersOutside(932, 'C:\\ü🎮')).toEqual(['ü', '🎮']);
  expect(lettersOutside(936, 'D:\\游戏')).toEqual([]);
  // Their second byte is that of a backslash, where Postgres cuts the path: PostgreSQL bug 18735.
  expect(lettersOutside(932, 'D:\\表示\\ソフト 十 能 貼')).toEqual(['表', 'ソ', '十', '能', '貼']);
  expect(lettersOutside(950, 'D:\\成功\\許 蓋')).toEqual(['功', '許', '蓋']);
  expect(lettersOutside(936, 'D:\\成功 表示 淺')).toEqual(['淺']);
  // No second byte of the Korean code page is one.
  expect(lettersOutside(949, 'D:\\게임 서버 똠방각하')).toEqual([]);
  expect(lettersOutside(932, 'D:\\①髙㈱ ｶﾀｶﾅ')).toEqual([]);
  // Windows lacks what the encoding standard adds: Hong Kong's letters, and those of the later GB18030.
  expect(lettersOutside(950, 'D:\\嘅 喺 啲')).toEqual(['嘅', '喺', '啲']);
  expect(lettersOutside(936, 'D:\\ḿ ǹ')).toEqual(['ḿ', 'ǹ']);
  // Windows would write these as the byte of a backslash.
  expect(lettersOutside(932, 'D:\\¥')).toEqual(['¥']);
  expect(lettersOutside(949, 'D:\\₩')).toEqual(['₩']);
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

// Guarantee: what cannot be seen by itself is named, with what to do about an umlaut in two parts.
test('letters and accents apart', () => {
  const apart = 'D:\\Jörg'.normalize('NFD');
  expect(lettersFault(1252, 'D:\\Jörg')).toBeNull();
  expect(lettersFault(1252, apart)).toMatch(
    /letters: U\+0308\. They are written as a letter and its accent apart/,
  );
  expect(lettersFault(1252, 'D:\\a\u200Bb \u3000')).toMatch(/letters: U\+200B U\+3000$/);
  expect(lettersFault(65001, apart)).toBeNull();
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
