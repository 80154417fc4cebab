import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '#contracts/kernel/language.ts';
import { navigation, type PageName } from '../navigation.ts';
import { guideNames, guides } from './guides.ts';
import { helpWords } from './help.words.ts';
import { parseMarkdown } from './markdown.ts';
import { pageHelp } from './page-help.ts';
import { termsWords } from './terms.words.ts';

const docs = resolve(import.meta.dirname, '../../../docs');
const pages = Object.keys(navigation) as PageName[];
const headings = new Map(
  await Promise.all(
    guideNames.map(async (name) => {
      const blocks = parseMarkdown(await readFile(resolve(docs, guides[name].file), 'utf8'));
      const titles = blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []));
      return [name, titles] as const;
    }),
  ),
);

/** By the letter, without its marks of emphasis and code. */
const sentences = (text: string) => text.split(/[.!?](?:\s|$)/).filter((part) => part.trim() !== '').length;

// Guarantee: `?` has an answer on every page, in both languages: what it is for, and the three things people do there.
test.each(pages)('help for %s', async (page) => {
  const { load, terms, guides: links } = pageHelp[page];
  const texts = await load();
  for (const language of languages) {
    const { purpose, first, second, third } = texts[language];
    expect(sentences(purpose), purpose).toBeGreaterThan(0);
    expect(sentences(purpose), purpose).toBeLessThan(4);
    const titles = [first, second, third].map(({ title, how }) => {
      expect(how.trim().length).toBeGreaterThan(20);
      expect(how).toMatch(/\.$/);
      return title;
    });
    expect(new Set(titles).size).toBe(3);
    for (const title of titles) expect(title).not.toMatch(/\.$/);
  }
  expect(terms.length).toBeGreaterThan(0);
  expect(new Set(terms).size).toBe(terms.length);
  // A link to a heading is broken once the heading changes.
  for (const { guide, heading } of links)
    if (heading !== undefined) expect(headings.get(guide)).toContain(heading);
});

/** The term as it is on screen from a cell of the glossary, without the remarks for authors of texts and code. */
const onScreen = (cell = '') =>
  /; (?:on screen|na tela): (.+)$/.exec(cell)?.[1] ?? cell.replace(/ \(in code: .+\)$|[:;] .+$/, '');

// Guarantee: a term in the panel is the one in the glossary, in both languages.
test('terms stand in the glossary', async () => {
  const rows = (await readFile(resolve(docs, 'glossary.md'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const known = rows.map(([, english, portuguese]) => `${onScreen(english)} = ${onScreen(portuguese)}`);
  for (const [name, { name: english }] of Object.entries(termsWords.en)) {
    const portuguese = termsWords['pt-BR'][name as keyof typeof termsWords.en].name;
    expect(known).toContain(`${english} = ${portuguese}`);
  }
});

test('every term and guide is used, and named', () => {
  const used = new Set(pages.flatMap((page) => pageHelp[page].terms));
  expect(Object.keys(termsWords.en).filter((term) => !used.has(term as never))).toEqual([]);
  expect(Object.keys(helpWords.en.guides).sort()).toEqual([...guideNames].sort());
});
