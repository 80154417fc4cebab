/** A game's text as Postgres and JSON can hold it: at most so many characters, no NUL, no half of a character. */
export const storableText = (text: string, longest: number): string =>
  text.slice(0, longest).replaceAll('\0', '\u{fffd}').toWellFormed();
