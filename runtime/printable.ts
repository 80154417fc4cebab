/**
 * Text from a database or a game may contain characters that a terminal obeys (control characters), or that reorder or hide the
 * text (bidi marks, invisible characters, line separators).
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    if (character === '\n') return '\\n';
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`;
  });

/** Like {@link printable}, for text whose line breaks are ours. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
