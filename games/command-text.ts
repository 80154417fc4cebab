import { reasons } from '#contracts/kernel/reasons.ts';
import type { Rendered } from './game.ts';

/**
 * Characters that a game or terminal may read as the end of a line (control characters, line and paragraph separators), and lone
 * surrogates.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Text from people as one line: characters that could end it become a space. */
export const asOneLine = (text: string): string => text.replace(unsafe, ' ').replace(/ {2,}/g, ' ').trim();

export const isOneLine = (text: string): boolean => text.search(unsafe) === -1;

/** The last check before a command leaves an adapter. */
export const renderCommand = (command: string, longestCommandBytes: number): Rendered => {
  if (!isOneLine(command)) return { refused: reasons['text-not-plain'] };
  const bytes = Buffer.byteLength(command, 'utf8');
  if (bytes > longestCommandBytes)
    return {
      refused: reasons['command-too-long'](bytes, longestCommandBytes),
    };
  return { command };
};

/** Null, or why this amount is refused. */
export const amountFault = (quantity: number, most: number): string | null =>
  Number.isSafeInteger(quantity) && quantity >= 1 && quantity <= most ? null : reasons['amount-range'](most);
