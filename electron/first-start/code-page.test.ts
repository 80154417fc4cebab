import { expect, test } from 'vitest';
import { readCodePage } from '#runtime/windows/code-page.ts';
import { lettersOutside } from './code-page.ts';

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
