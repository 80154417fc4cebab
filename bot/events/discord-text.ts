import { isolated } from '#contracts/kernel/isolated.ts';

/** For a text from outside, within a line. */
const mostCharacters = 300;
/** Ten names of this length leave room for what happened. */
const mostNameCharacters = 60;

const cut = (text: string, most: number): string => {
  const sound = text.toWellFormed();
  const characters = [...sound];
  return characters.length <= most ? sound : `${characters.slice(0, most - 1).join('')}…`;
};

/** In Discord's text, a backslash before any of these makes it a plain character. */
const punctuation = /[!-/:-@[-`{-~]/g;

/**
 * A text from outside, for places where Discord reads Markdown: no style, mention, link or invite, on one line, with
 * its text direction isolated.
 */
export const safeText = (text: string, most = mostCharacters): string =>
  isolated(cut(text, most).replace(punctuation, String.raw`\$&`).replaceAll('@', '@\u200b'));

/** For places where Discord reads no Markdown: names above and below an embed. */
export const plainText = (text: string): string => isolated(cut(text, mostNameCharacters));
