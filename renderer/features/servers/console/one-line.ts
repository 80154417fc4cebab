import { longestCommand } from '#contracts/games.ts';

/** A command is one line. What is between two pasted ones stays to be seen: run together, they would be another command. */
export const oneLine = (text: string): string =>
  text
    .trim()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cs}/gu, '');

export interface Pasted {
  readonly text: string;
  /** Where the cursor stands behind it. */
  readonly cursor: number;
  readonly isJoined: boolean;
  /** Characters that found no room. */
  readonly left: number;
}

/** What a line becomes when something is pasted over a part of it; null: what the browser makes of it is right. */
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
