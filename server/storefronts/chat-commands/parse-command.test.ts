import { expect, test } from 'vitest';
import type { Language } from '#contracts/kernel/language.ts';
import { type SectionValues, settingsSections } from '#contracts/operations/settings.ts';
import { beginsWithPrefix, parseCommand, parsePurchase, readChatRules } from '../parse-command.ts';
import { chatWords } from './chat-words.ts';
import { findProduct, type ListedProduct, pagesOf } from './shop-list.ts';
import { answerLine, longestAnswer, shownName } from './typed-text.ts';

const initial = Object.fromEntries(
  Object.entries(settingsSections['chat-shop'].fields).map(([name, field]) => [name, field.initial]),
) as unknown as SectionValues<'chat-shop'>;
const rulesOf = (values: SectionValues<'chat-shop'>, language: Language) =>
  readChatRules({ values: async (section) => (section === 'general' ? { language } : values) as never });
const rules = await rulesOf(initial, 'en');

// Guarantee: a command is read whatever colours, marks, widths and cases surround it, and nothing else is read as one.
test.each([
  ['!shop', 'shop', ''],
  ['  !SHOP  2 ', 'shop', '2'],
  ['！ｌｏｊａ', 'shop', ''],
  ['§c!b§luy VIP', 'buy', 'VIP'],
  ['[ff0000]!buy[-] VIP', 'buy', 'VIP'],
  ['<RichColor Color="1,0,0,1">!buy</> VIP', 'buy', 'VIP'],
  ['\u202e!buy\u2066 VIP\u200b', 'buy', 'VIP'],
  ['!buy\u0000\u0007 VIP\r\n2', 'buy', 'VIP 2'],
  ['!COMPRAR  Kit  de  Início', 'buy', 'Kit de Início'],
  ['!buy 剑 2', 'buy', '剑 2'],
])('%j', (line, command, argument) => expect(parseCommand(line, rules)).toEqual({ command, argument }));

test.each(['', '!', '! buy', 'buy VIP', 'hello !buy VIP', '!buyVIP', '/buy VIP', '!покупать', '\ud83d!'])(
  'no command: %j',
  (line) => expect(parseCommand(line, rules)).toBeNull(),
);

/** `!buy VIP` of another player, as people repeat it. */
const quotedForms = [
  '<Bob> !buy VIP',
  '<Bob>!buy VIP',
  '<Bob> <Ann> !buy VIP',
  '<<Bob>> !buy VIP',
  '<Bob <Ann> x> !buy VIP',
  '＜Bob＞ !buy VIP',
  '‹Bob› !buy VIP',
  '«Bob» !buy VIP',
  '<\u200bBob> !buy VIP',
  '§a<Bob>§r !buy VIP',
  '<img> !buy VIP',
  '<b>!buy VIP</b>',
  '</Bob> !buy VIP',
  '<RichColor> !buy VIP',
  '<RichColor Bob> !buy VIP',
  '<RichColors Color="1,0,0,1"> !buy VIP',
  '[Bob] !buy VIP',
  '[12:34:56] <Bob> !buy VIP',
  'Bob: !buy VIP',
  "'Bob': !buy VIP",
  'Bob (Ann): !buy VIP',
  '> !buy VIP',
  '"!buy VIP"',
  '§!buy VIP',
];

// Guarantee: only a game's own colours are taken out of a line; a quoted line is no command, and is relayed.
test.each(quotedForms)('a quoted line: %j', (line) => {
  expect(parseCommand(line, rules)).toBeNull();
  expect(beginsWithPrefix(line, '!')).toBe(false);
});

test('a name in the brackets that people use for names', () => {
  expect(shownName('<Gold> rank')).toBe('<Gold> rank');
  expect(shownName('<RichColor Color="1, 0.9, 0, 1">§6Gold</> [ffd700]rank[-]')).toBe('Gold rank');
  expect(findProduct([product('<Gold> rank', 'GR')], '<gold> RANK', () => null)).toMatchObject({
    isExact: true,
  });
});

// Guarantee: a line of 5,000 characters costs no more than a short one, and is still a command.
test('a long line', () => {
  const towers = `!buy a${'\u0337'.repeat(5000)}`;
  for (const line of [`!buy ${'x'.repeat(5000)}`, `!${'ﷺ'.repeat(5000)}`, towers, `${' '.repeat(5000)}!buy`])
    expect((parseCommand(line, rules)?.argument ?? '').length).toBeLessThanOrEqual(400);
  expect(parseCommand(towers, rules)?.argument).toBe(`a${'\u0337'.repeat(2)}`);
});

test('words and prefix of the community', async () => {
  const own = await rulesOf({ ...initial, prefix: '>>', buyWords: 'köp  купить' }, 'pt-BR');
  expect(parseCommand('>>КУПИТЬ vip', own)).toEqual({ command: 'buy', argument: 'vip' });
  expect(parseCommand('!buy vip', own)).toBeNull();
  expect([own.typed('buy'), own.typed('shop'), rules.typed('shop')]).toEqual(['>>купить', '>>loja', '!shop']);
  expect(beginsWithPrefix('\u200b>>anything', '>>')).toBe(true);
  expect(beginsWithPrefix('!anything', '>>')).toBe(false);
});

const { prefix, buyWords } = settingsSections['chat-shop'].fields;
test('prefixes and words that can be set', () => {
  for (const one of ['!', '.', '>>', '$', '~~~'])
    expect(prefix.schema.safeParse(one).success, one).toBe(true);
  for (const one of ['', '/', 'a', '!!!!', ' ', '§'])
    expect(prefix.schema.safeParse(one).success, one).toBe(false);
  expect(buyWords.schema.safeParse('comprar köp 買う').success).toBe(true);
  for (const one of ['', 'a,b', 'a\nb', '!buy'])
    expect(buyWords.schema.safeParse(one).success, one).toBe(false);
});

test('what and how many', () => {
  expect(parsePurchase('vip')).toEqual([{ product: 'vip', quantity: 1 }]);
  expect(parsePurchase('rank 30 x2')).toEqual([
    { product: 'rank 30 x2', quantity: 1 },
    { product: 'rank 30', quantity: 2 },
  ]);
  expect(parsePurchase('vip -1')).toEqual([{ product: 'vip -1', quantity: 1 }]);
  expect(parsePurchase('  ')).toEqual([]);
});

const product = (name: string, code: string | null, price = 10): ListedProduct => ({
  id: name,
  name,
  code,
  price,
  isSoldOut: false,
  needsSurvivor: false,
});
const sold = [
  product('Rank 30', 'VIP'),
  product('Ouro', 'GOLD', 5),
  product('Ouro fino', null),
  product('Ｄust', 'D2'),
];
const notShown = () => null;
const found = (typed: string, shownAt: (place: number) => string | null = notShown) => {
  const one = findProduct(sold, typed, shownAt);
  return one.kind === 'one' ? `${one.product.name} ${one.isExact}` : one.kind;
};

// Guarantee: a product is certain only by its code, its whole name, or a number of a list that was shown.
test('which product is meant', () => {
  expect(found('vip')).toBe('Rank 30 true');
  expect(found('OURO')).toBe('Ouro true');
  expect(found('our')).toBe('several');
  expect(found('fino')).toBe('Ouro fino false');
  expect(found('dust')).toBe('Ｄust true');
  expect(found('2')).toBe('Ouro false');
  expect(found('2', () => 'Rank 30')).toBe('Rank 30 true');
  expect(found('2', () => 'sold no more')).toBe('none');
  expect(found('9')).toBe('none');
  expect(found('%')).toBe('none');
});

// Guarantee: whatever the products' names, a page is one line that every game shows, and every product is on one page.
test('pages of one line', () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    product(
      index % 3 === 0 ? '🦦'.repeat(80) : `§4[ff0000]Kit ${index}\u202e`,
      'ABCDEFGHIJKL',
      1_000_000_000,
    ),
  );
  for (const words of Object.values(chatWords)) {
    const hint = words.pageHint('!'.repeat(20), '!'.repeat(18));
    const pages = pagesOf(many, 10, words, hint.length);
    expect(pages.flat().map(({ place }) => place)).toEqual(many.map((_, index) => index + 1));
    for (const [index, page] of pages.entries()) {
      const line = words.page(index + 1, pages.length, page.map(({ text }) => text).join('; ')) + hint;
      expect(line.length).toBeLessThanOrEqual(longestAnswer);
      expect(answerLine(line)).toBe(line);
    }
  }
});

// Guarantee: the number at the end of a question is never cut off.
test('questions of the longest names', () => {
  const name = shownName('🦦'.repeat(80));
  for (const words of Object.values(chatWords)) {
    const typed = `>>>${'x'.repeat(32)} 123456`;
    for (const text of [words.buyQuestion, words.priceChanged]) {
      const line = answerLine(text(words.times(1000, name), 1_000_000_000_000, typed));
      expect(line).toMatch(/ 123456$/);
    }
    expect(answerLine(words.survivorQuestion('2147483647', typed))).toMatch(/ 123456$/);
  }
});
