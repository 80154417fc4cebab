import { expect, test } from 'vitest';
import { mixesScripts } from './mixed-scripts.ts';
import { personName } from './person-name.ts';

// Guarantee: names as people write them are accepted in every script, even if their words are in different scripts.
test.each([
  ...[
    'Ada',
    'João',
    'Иван',
    'Ελένη',
    'אנה',
    'مريم',
    '王小明',
    'たなかタロウ',
    '田中Taro',
    '김민준',
    'नेहा',
    'สมชาย',
  ],
  ...['Иван (EU-West)', '<b>Ana</b> אנה', 'r2d2', 'Müller 2', 'Nguyễn', "O'Neill", '★ Ada ★', 'ქეთი', 'Արամ'],
])('%s', (name) => {
  expect(mixesScripts(name)).toBe(false);
  expect(personName.safeParse(name).success).toBe(true);
});

// Guarantee: a word with a letter from another script, which readers cannot tell apart, is refused.
test.each(['аdmin', 'Аda', 'οwner', 'Adа', 'pаypal Bot', 'ｏwnеr', 'Iваn'])('%s mixes', (name) => {
  expect(mixesScripts(name)).toBe(true);
  expect(personName.safeParse(name).success).toBe(false);
});
