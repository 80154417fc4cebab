import { longestCommand } from '#contracts/servers/games.ts';

/** A command is one line. The gap between two pasted ones stays visible: run together, they would be a different command. */
export const oneLine = (text: string): string =>
  text
    .trim()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cs}/gu, '');

export interface Pasted {
  readonly text: string;
  /** The cursor position after the pasted text. */
  readonly cursor: number;
  readonly isJoined: boolean;
  /** The number of characters that did not fit. */
  readonly left: number;
}

/** The line after a paste over a part of it; null: the browser's own result is right. */
export const pasteInto = (line: string, from: number, to: number, pasted: string): Pasted | null => {
  const clean = oneLine(pasted);
  const room = longestCommand - (line.length - (to - from));
  if (!/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(pasted) && pasted.length <= room) return null;
  const fitting = clean.slice(0, room);
  return {
    text: line.slice(0, from) + fitting + line.slice(to),
    cursor: from + fitting.length,
    isJoined: /[\n\r\u2028\u2029]/u.test(pasted.trim()),
    left: clean.length - fitting.length,
  };
};
