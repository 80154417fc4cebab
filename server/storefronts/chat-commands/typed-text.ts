import { nameKey } from '../../kernel/access/name-key.ts';

/** How many characters of a line are read; a command with all its arguments is shorter. */
const longestTyped = 400;
/** How many characters of a name an answer shows, so that a number after it is never cut. */
const longestShownName = 40;
/** Characters of an answer; every game shows this many in one line. */
export const longestAnswer = 200;

/**
 * Minecraft's `§x`, 7 Days to Die's `[rrggbb]` and `[-]`, ARK's `<RichColor Color="r,g,b,a">` and `</>`. Other brackets are
 * text: people write names in them, and quote lines so.
 */
const colours =
  /§[0-9a-fk-orx]|\[(?:[0-9a-f]{6}|[0-9a-f]{8}|-)\]|<RichColor Color="?[\d., ]{1,60}"?>|<\/>/giu;
const hidden = /\p{Cf}/gu;
const blanks = /[\p{Cc}\p{Z}\s]+/gu;
/** A letter under a tower of marks covers the lines around it. */
const towers = /(\p{M}{2})\p{M}+/gu;

const cut = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

/** One line without colours and invisible characters. */
const plain = (text: string, form: 'NFC' | 'NFKC' = 'NFC'): string =>
  text
    .toWellFormed()
    .normalize(form)
    .replace(hidden, '')
    .replace(blanks, ' ')
    .replace(colours, '')
    .replace(towers, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();

/** What a player typed, normalized: wide letters are narrow, colours and invisible marks are gone. */
export const typedText = (line: string): string =>
  plain(line.slice(0, longestTyped), 'NFKC').slice(0, longestTyped);

/** A product's or a player's name within an answer. */
export const shownName = (name: string): string => cut(plain(name), longestShownName);

/** An answer in the form that may be whispered. */
export const answerLine = (text: string): string => cut(plain(text), longestAnswer);

/** Names and words in the form that is compared. */
export const textKey = (text: string): string => nameKey(plain(text));
