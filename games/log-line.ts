import { plainText } from './reply-reading.ts';

/** Characters; what is longer was made to be expensive. */
const longestLine = 4000;

/** A line of a game's log without colours and line end; null for one that is not read at all. */
export const plainLogLine = (line: string): string | null =>
  line.length > longestLine ? null : plainText(line);
