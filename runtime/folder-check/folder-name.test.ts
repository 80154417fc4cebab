import { expect, test } from 'vitest';
import { impossibleName, plainWindowsPath, variableIn } from './folder-name.ts';

// Guarantee: a name that Windows would refuse, or silently change, is reported before anything is made.
test('names that no folder can have', () => {
  expect(impossibleName('C:\\Program Files\\Größe 1.0\\.castellan\\console')).toBeUndefined();
  expect(impossibleName('\\\\server\\share\\castellan\\')).toBeUndefined();
  expect(impossibleName('C:\\a?b\\c')).toBe('a?b');
  expect(impossibleName('C:\\games\\stream:x')).toBe('stream:x');
  expect(impossibleName('D:\\home \\x')).toBe('home ');
  expect(impossibleName('D:/home./x')).toBe('home.');
  expect(impossibleName('D:\\Aux.txt')).toBe('Aux.txt');
  expect(impossibleName('D:\\com1')).toBe('com1');
  // The superscript digits and the console's names are devices, too; blanks before the extension do not help.
  for (const name of ['COM¹', 'lpt³.txt', 'conin$', 'CONOUT$', 'NUL .txt', 'con.a.b', 'half \uD83C', '. '])
    expect(impossibleName(`D:\\games\\${name}\\x`)).toBe(name);
  for (const name of [
    '50% & more!',
    'com',
    'com10',
    'console',
    'nullen',
    'a^b',
    "o'hara;(x)",
    '🎮',
    '.hidden',
  ])
    expect([name, impossibleName(`D:\\games\\${name}`)]).toEqual([name, undefined]);
});

// Guarantee: what cmd.exe or the services would replace by the value of a variable is told from a sign of per cent.
test('names of variables', () => {
  for (const name of ['%TEMP%', '%cd%', '%ProgramFiles(x86)%', '%100%'])
    expect(variableIn(`D:\\games\\a ${name} b\\x`)).toBe(name);
  expect(variableIn('D:\\100%\\50%')).toBe('%\\50%');
  expect(variableIn('%ProgramData%\\Castellan')).toBe('%ProgramData%');
  for (const path of ['D:\\100%\\x', 'D:\\%%', 'D:\\%TEMP'])
    expect([path, variableIn(path)]).toEqual([path, undefined]);
});

// Guarantee: what programs write before a long path is told from a path, and the path that is meant is named.
test('prefixes of long paths', () => {
  expect(plainWindowsPath('\\\\?\\C:\\games\\x')).toBe('C:\\games\\x');
  expect(plainWindowsPath('//?/C:/games')).toBe('C:/games');
  expect(plainWindowsPath('\\\\?\\UNC\\nas\\share')).toBe('\\\\nas\\share');
  expect(plainWindowsPath('\\\\.\\D:\\x')).toBe('D:\\x');
  expect(plainWindowsPath('\\\\?\\Volume{b75e2c83-0000-0000-0000-602f00000000}\\x')).toBe('D:\\Castellan');
  for (const path of ['C:\\games', '\\\\nas\\share', '/srv/castellan', 'C:'])
    expect([path, plainWindowsPath(path)]).toEqual([path, null]);
});
