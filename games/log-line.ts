import { plainText } from './reply-reading.ts';

/** In characters; a longer line was made to be expensive. */
const longestLine = 4000;

/** A line of a game's log without colours and line end; null when it is too long to be read. */
export const plainLogLine = (line: string): string | null =>
  line.length > longestLine ? null : plainText(line);
