import { expect, test } from 'vitest';
import { isFilterWord } from '#contracts/discord/discord-chat.ts';
import { createWordFilter } from './word-filter.ts';

const masked = (words: string[], text: string) => createWordFilter(words, 'mask')(text);

// Guarantee: a word is found however it is disguised, and no other word is touched.
test.each([
  ['a Banned, word', 'a ******, word'],
  ['ＢＡＮＮＥＤ', '******'],
  ['bánñéd', '******'],
  ['bа\u200bnn\u00aded', '********'],
  ['Ьanned', '******'],
  ['unbanned bannedly', 'unbanned bannedly'],
  ['b a n n e d', 'b a n n e d'],
  ['🦦banned🦦', '🦦******🦦'],
])('%s', (text, shown) => expect(masked(['banned'], text)).toBe(shown));

test.each([
  [['spam*'], 'spam spammer antispam', '**** ******* antispam'],
  [['*spam*'], 'anti-spammer antispam', 'anti-******* ********'],
  [['s*m'], 'sm spam sam spams', '** **** *** spams'],
  [['buy gold'], 'Buy, GOLD! buy silver', '***, ****! buy silver'],
  [['buy go*'], 'buy golden things', '*** ****** things'],
  [["don't"], 'don’t do', '***’* do'],
  [['*敵味*'], '味方敵味方', '*****'],
  [['a*b*c'], 'aXbXc abc acb', '***** *** acb'],
  [['ab*ba'], 'aba abba', 'aba ****'],
  [['…'], 'anything…', 'anything…'],
])('%s', (words, text, shown) => expect(masked(words, text)).toBe(shown));

test('a line may be held back', () => {
  const filter = createWordFilter(['banned'], 'hold');
  expect(filter('it is banned')).toBeNull();
  expect(filter('it is not')).toBe('it is not');
});

// Guarantee: neither a hostile list nor a hostile line costs more than their lengths.
test('work is bounded', () => {
  const words = Array.from({ length: 200 }, (_, index) => `*a*a*a*a*a*a*a*a*b${index}*`);
  const line = 'a'.repeat(300);
  const filter = createWordFilter(words, 'mask');
  for (let round = 0; round < 100; round += 1) expect(filter(line)).toBe(line);
});

// Guarantee: an entry that would match nearly every word is refused.
test('words that can be listed', () => {
  for (const word of ['ass', 'a*b', '*敵味*', 'buy gold', 'don’t', '7'])
    expect(isFilterWord(word), word).toBe(true);
  for (const word of ['', '*', 'a*', '!!', 'buy *', 'x'.repeat(61), 'a\0b'])
    expect(isFilterWord(word), word).toBe(false);
});
