import { expect, test } from 'vitest';
import { cut } from '../cut.ts';
import { card } from './command.ts';
import { choiceText, codeBlock, longest, nameText } from './text.ts';

// Guarantee: text that is cut stays within the limit and keeps its characters whole.
test('cut', () => {
  expect(cut('abc', 3)).toBe('abc');
  expect(cut('abcd', 3)).toBe('ab…');
  expect(cut('😀😀😀', 4)).toBe('😀…');
  expect(cut('a\ud800', 5)).toBe('a\ufffd');
  expect(choiceText('x'.repeat(200))).toHaveLength(longest.choice);
  expect(choiceText(' \u202e ')).toBe('?');
  expect(card({ text: '😀'.repeat(3000) }).description.length).toBeLessThanOrEqual(longest.description);
});

// Guarantee: a name stays one line in its own text direction, and is neither Markdown, a mention, an emoji, a link nor an invite.
test.each([
  ['**bold** _it_ `code` ~~gone~~ ||hid||', /(?<!\\)(\*\*|_|`|~~|\|\|)/],
  ['<@1> <@&2> <#3> <:a:4> <t:1:R>', /(?<!\\)</],
  ['@everyone @here', /@(everyone|here)/],
  ['https://discord.gg/abc', /https:\/\//],
  ['[safe](https://example.org)', /\]\(https:\/\//],
  ['one\ntwo\u202ethree\u2069', /\n|\u202e|\u2069./],
  ['# title', /^\u2068# /],
  ['> a quote', /^\u2068> /],
  ['- a list', /^\u2068- /],
  ['discord.gg/abc', /discord\.gg\//],
  [':wave: 1. one', /(?<!\\):wave|1\. /],
  ['half \ud800', /[\ud800-\udfff]/],
])('the name %j', (name, harm) => {
  expect(nameText(name)).toMatch(/^\u2068.*\u2069$/u);
  expect(nameText(name)).not.toMatch(harm);
});

// Guarantee: a game's reply does not leave its frame.
test('a block of code', () => {
  expect(codeBlock('a ``` b', 100)).toBe("```\na ''' b\n```");
  expect(codeBlock('x'.repeat(500), 100)).toHaveLength(100);
});
