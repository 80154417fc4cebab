import type { FilterTreatment } from '#contracts/discord/discord-chat.ts';
import { latinLookAlike } from '../../identity/look-alike.ts';

/** A text after the filter; null: it is held back. */
export type FilterText = (text: string) => string | null;

/** A word of a text, in the compared form, and its position there. */
interface Word {
  folded: string;
  readonly start: number;
  end: number;
}

/** Without case, width, accents and invisible characters; letters of other scripts as the Latin ones that they look like. */
const foldCharacter = (character: string): string =>
  [
    ...character
      .normalize('NFKD')
      .replace(/[\p{M}\p{Cf}]/gu, '')
      .toUpperCase()
      .toLowerCase(),
  ]
    .map(latinLookAlike)
    .join('');

const isOfWord = /^[\p{L}\p{N}*]+$/u;

/** @param star whether it counts as part of words */
const wordsOf = (text: string, star: boolean): Word[] => {
  const words: Word[] = [];
  let current: Word | null = null;
  let at = 0;
  for (const character of text) {
    const start = at;
    at += character.length;
    const folded = foldCharacter(character);
    // Invisible characters do not split a word.
    if (folded === '') continue;
    if (!isOfWord.test(folded) || (character === '*' && !star)) {
      current = null;
      continue;
    }
    if (current) {
      current.folded += folded;
      current.end = at;
    } else {
      current = { folded, start, end: at };
      words.push(current);
    }
  }
  return words;
};

type MatchWord = (folded: string) => boolean;

/** Each part is looked for once, from the end of the previous one. */
const matcherOf = (pattern: string): MatchWord => {
  if (!pattern.includes('*')) return (folded) => folded === pattern;
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop() ?? '';
  return (folded) => {
    if (folded.length < first.length + last.length || !folded.startsWith(first) || !folded.endsWith(last))
      return false;
    let from = first.length;
    const until = folded.length - last.length;
    for (const part of others) {
      const found = folded.indexOf(part, from);
      if (found === -1 || found + part.length > until) return false;
      from = found + part.length;
    }
    return true;
  };
};

/** A filter of words and phrases. Its work grows only with the text and with the list. */
export const createWordFilter = (entries: readonly string[], treatment: FilterTreatment): FilterText => {
  const phrases = entries
    .map((entry) => wordsOf(entry, true).map(({ folded }) => folded))
    .filter((words) => words.length > 0)
    .map((words) => ({ first: words[0] ?? '', matchers: words.map(matcherOf) }));
  const plain = new Map<string, (readonly MatchWord[])[]>();
  const wild: (readonly MatchWord[])[] = [];
  for (const { first, matchers } of phrases) {
    if (first.includes('*')) wild.push(matchers);
    else plain.set(first, [...(plain.get(first) ?? []), matchers]);
  }
  if (phrases.length === 0) return (text) => text;

  return (text) => {
    const words = wordsOf(text, false);
    const hits = new Set<Word>();
    for (const [index, { folded }] of words.entries())
      for (const matchers of [...(plain.get(folded) ?? []), ...wild]) {
        const matched = matchers.map((matches, offset) => {
          const word = words[index + offset];
          return word && matches(word.folded) ? word : null;
        });
        if (matched.every((word) => word !== null)) for (const word of matched) hits.add(word);
      }
    if (hits.size === 0) return text;
    if (treatment === 'hold') return null;
    let shown = '';
    let at = 0;
    for (const word of words) {
      if (!hits.has(word)) continue;
      shown += text.slice(at, word.start) + '*'.repeat([...text.slice(word.start, word.end)].length);
      at = word.end;
    }
    return shown + text.slice(at);
  };
};
