/** Cuts to a length in characters. Half a character, or a NUL, is nothing that a database takes. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).toWellFormed().replaceAll('\0', '\u{fffd}');
