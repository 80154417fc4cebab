/** Cuts to a length in characters. No database accepts half a character, or a NUL. */
export const cutText = (text: string, length: number): string =>
  text.slice(0, length).toWellFormed().replaceAll('\0', '\u{fffd}');
