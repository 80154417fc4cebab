import { glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { usesIn } from './source-uses.ts';

const root = resolve(import.meta.dirname, '../..');

/** Words that no native speaker would put on a screen, each with its replacement (docs/glossary.md). */
const unplain: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'anyone who'],
  [/\banew\b/i, 'again'],
  [/\bsomebody\b/i, 'another person'],
  [/\bas it was\b/i, 'unchanged'],
  [/\bmend(s|ed)?\b/i, 'fix'],
  [/\bnarrow this\b/i, 'collapse'],
  [/\bof (its|their) own\b/i, 'custom'],
  [/\bwhat (came|comes|becomes) of\b/i, 'the result'],
  [/\b(goes|go) on by (itself|themselves)\b/i, 'continues automatically'],
  [/\bmeanwhile\b/i, 'while you were editing'],
  [/\bnot let in\b/i, 'rejected'],
  [/\bat a glance\b/i, 'summary'],
  [/\boutside (shop|order)s?\b/i, 'external shop'],
  [/\bthere is no such\b/i, 'not found'],
  [/\bno one can tell\b/i, 'unconfirmed'],
];

const patterns = ['renderer/**/*.words.ts', 'contracts/**/*reasons.ts', 'contracts/kernel/problems/**/*.ts'];
const found = await Promise.all(patterns.map((pattern) => Array.fromAsync(glob(pattern, { cwd: root }))));
const files = found.flat().map((file) => file.replaceAll('\\', '/'));

test('there are words', () => {
  expect(files.length).toBeGreaterThan(80);
  for (const [index, of] of found.entries()) expect(of.length, patterns[index]).toBeGreaterThan(3);
});

// Guarantee: no text of the panel reads like a translation.
test('words that a native speaker would use', async () => {
  const faults: string[] = [];
  for (const file of files)
    for (const text of usesIn(await readFile(resolve(root, file), 'utf8'), 'ts').texts)
      for (const [word, instead] of unplain)
        if (word.test(text)) faults.push(`${file}: “${text}” (say: ${instead})`);
  expect(faults).toEqual([]);
});

test('what is not plain', () => {
  const says = (text: string) => unplain.filter(([word]) => word.test(text)).length;
  expect(says('Somebody else has saved this meanwhile')).toBe(2);
  expect(says('Another person saved this cluster while you were editing')).toBe(0);
});
