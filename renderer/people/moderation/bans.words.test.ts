import { expect, test } from 'vitest';
import { bansWords } from './bans.words.ts';

const override = '\u202e';
const sentences = [
  'liftedBy',
  'banned',
  'unbanOne',
  'unbanTitle',
  'unbanned',
  'undone',
  'restoreTitle',
] as const;

// Guarantee: a name in any writing direction, or one that would reverse the words around it, does not affect the sentence.
test.each(sentences)('the name in %s stands apart', (sentence) => {
  for (const words of [bansWords.en, bansWords['pt-BR']]) {
    const said = words[sentence](`Ann${override}`);
    expect(said).toMatch(/\u2068Ann \u2069/);
    expect(said).not.toContain(override);
  }
});
