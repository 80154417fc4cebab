import { plainText } from './reply-reading.ts';

/** In characters; a longer line was made to be expensive. */
const longestLine = 4000;

/** Characters that some programs take for the end of a line; within one they are text that someone typed. */
const separators = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** A line of a game's log without colours and line end, separators as spaces; null when it is too long to be read. */
export const plainLogLine = (line: string): string | null =>
  line.length > longestLine ? null : plainText(line).replace(separators, ' ');
