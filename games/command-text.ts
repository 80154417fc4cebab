import { reasons } from '#contracts/reasons.ts';
import type { Rendered } from './game.ts';

/** What could end a line for some game or terminal (control characters, line and paragraph separators), or is half a character. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** What people wrote, as one line: whatever could end it becomes a space. */
export const asOneLine = (text: string): string => text.replace(unsafe, ' ').replace(/ {2,}/g, ' ').trim();

export const isOneLine = (text: string): boolean => text.search(unsafe) === -1;

/** The last gate before a command leaves an adapter. */
export const renderCommand = (command: string, longestCommandBytes: number): Rendered => {
  if (!isOneLine(command)) return { refused: reasons['text-not-plain'] };
  const bytes = Buffer.byteLength(command, 'utf8');
  if (bytes > longestCommandBytes)
    return {
      refused: reasons['command-too-long'](bytes, longestCommandBytes),
    };
  return { command };
};

/** Null, or why this amount cannot be asked for. */
export const amountFault = (quantity: number, most: number): string | null =>
  Number.isSafeInteger(quantity) && quantity >= 1 && quantity <= most ? null : reasons['amount-range'](most);
