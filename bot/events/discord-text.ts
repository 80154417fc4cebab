import { isolated } from '#contracts/event-sentence.ts';

/** Of a text from outside, within a line. */
const mostCharacters = 300;
/** Ten of them leave room for what has happened. */
const mostNameCharacters = 60;

const cut = (text: string, most: number): string => {
  const sound = text.toWellFormed();
  const characters = [...sound];
  return characters.length <= most ? sound : `${characters.slice(0, most - 1).join('')}…`;
};

/** In Discord's text a backslash before any of them leaves it a mere character. */
const punctuation = /[!-/:-@[-`{-~]/g;

/**
 * A text from outside, as Discord shows it where it reads Markdown: no style, no mention, no link, no invitation, one line,
 * and its own direction of writing kept to itself.
 */
export const safeText = (text: string, most = mostCharacters): string =>
  isolated(cut(text, most).replace(punctuation, String.raw`\$&`).replaceAll('@', '@\u200b'));

/** Where Discord reads no Markdown: names above and below an embed. */
export const plainText = (text: string): string => isolated(cut(text, mostNameCharacters));
