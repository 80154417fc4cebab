import { glob } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '#contracts/kernel/language.ts';
import type { Phrases, WordsOf } from '#contracts/kernel/words.ts';

const root = resolve(import.meta.dirname, '../..');

/** Sample values for the parameters of a phrase. */
const samples: readonly unknown[] = [2, 'text', ['text'], new Date(0), {}];

/** The phrase's text with the first samples that work; null if none does. */
const say = (phrase: (...values: never[]) => unknown): string | null => {
  for (const sample of samples) {
    try {
      const said = phrase(...(Array.from({ length: 8 }, () => sample) as never[]));
      if (typeof said === 'string') return said;
    } catch {
      // The phrase takes another kind of value.
    }
  }
  return null;
};

/** The text of every phrase, by its path. */
const phrasesOf = (phrases: Phrases, path = ''): [path: string, text: string | null][] =>
  Object.entries(phrases).flatMap(([name, phrase]): [string, string | null][] => {
    const here = `${path}${name}`;
    if (typeof phrase === 'string') return [[here, phrase]];
    return typeof phrase === 'function' ? [[here, say(phrase)]] : phrasesOf(phrase, `${here}.`);
  });

const isWords = (value: unknown): value is WordsOf<Phrases> =>
  typeof value === 'object' && value !== null && languages.every((language) => language in value);

const files = await Array.fromAsync(glob('{portal,renderer}/**/*.words.ts', { cwd: root }));

test('there are words', () => expect(files.length).toBeGreaterThan(4));

// Guarantee: no text of the panel or the portal is missing, empty or left in the other language.
test.each(files.sort())('%s', async (file) => {
  const exported: Record<string, unknown> = await import(resolve(root, file));
  const every = Object.entries(exported).filter(([, value]) => isWords(value));
  expect(every).not.toEqual([]);
  const faults: string[] = [];
  for (const [name, value] of every) {
    const words = value as WordsOf<Phrases>;
    const [english, portuguese] = [new Map(phrasesOf(words.en)), new Map(phrasesOf(words['pt-BR']))];
    expect([...portuguese.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of english) {
      const other = portuguese.get(path);
      // A group without a name is unnamed in both languages.
      if (text === '' && other === '') continue;
      if (!text?.trim()) faults.push(`${name}.${path}: says nothing in English`);
      if (!other?.trim()) faults.push(`${name}.${path}: says nothing in Portuguese`);
      if (text === other && (text?.split(/\s+/).length ?? 0) > 3)
        faults.push(`${name}.${path}: is the same in both languages: ${text}`);
    }
  }
  expect(faults).toEqual([]);
});
