import { expect, test } from 'vitest';
import { lettersHint } from './initialize.ts';

// Guarantee: if initdb may have failed because of characters in a folder's path, that folder is named; if it cannot have, nothing is added.
test('folders whose letters Postgres may be unable to use', () => {
  const plain = 'C:\\Program Files\\Castellan\\initdb.exe';
  expect(lettersHint([plain, 'D:\\Castellan\\postgres\\data'])).toBe('');
  expect(lettersHint([plain, 'D:\\Игры\\postgres\\data'])).toContain('D:\\Игры');
  expect(lettersHint(['C:\\Users\\Jürgen\\initdb.exe', 'D:\\x'])).toContain('Jürgen');
});
