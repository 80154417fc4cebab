import { expect, test } from 'vitest';
import { impossibleName } from './folder-name.ts';

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
});
