import { expect, test } from 'vitest';
import { asBefore } from './use-sorted.ts';

const listOf = (...texts: readonly string[]) => texts.map((text, at) => ({ id: text[0] ?? '', text, at }));
const texts = (entries: readonly { readonly text: string }[]) => entries.map(({ text }) => text).join(' ');

// Guarantee: until a long list is sorted again, its rows keep their places, with their current content.
test.each([
  ['the same rows', 'a2 b2 c2', 'c2 a2 b2'],
  ['one that has gone', 'a2 c2', 'c2 a2'],
  ['one that is new', 'n2 a2 b2 c2', 'c2 a2 b2 n2'],
  ['moved about', 'b2 c2 a2', 'c2 a2 b2'],
  ['all others', 'x y z', 'x y z'],
  ['none', '', ''],
])('%s', (_name, now, shown) => {
  const [a, b, c] = listOf('a1', 'b1', 'c1');
  if (!a || !b || !c) throw new Error('no list');
  expect(texts(asBefore([c, a, b], listOf(...now.split(' ').filter(Boolean))))).toBe(shown);
});
