import type { LineTraits } from '#contracts/console.ts';
import { storableText } from '../database/storable-text.ts';

/** Limit for what waits for one client: the newest lines, at most this many and this long together. */
const mostLines = 500;
const mostCharacters = 64 * 1024;
const longestLine = 4000;

interface SentLine extends LineTraits {
  readonly at: string;
  readonly text: string;
}

export interface LineBuffer {
  add(line: { readonly at: Date; readonly text: string; readonly traits: LineTraits }): void;
  isEmpty(): boolean;
  /** Everything that waits, and how many lines before it were left out. */
  take(): { readonly taken: SentLine[]; readonly skipped: number };
}

/** Lines for one client, bounded however fast they come and however slowly it takes them. */
export const createLineBuffer = (): LineBuffer => {
  let lines: SentLine[] = [];
  let characters = 0;
  let skipped = 0;
  return {
    add({ at, text, traits }) {
      const kept = storableText(text, longestLine);
      lines.push({ at: at.toISOString(), text: kept, ...traits });
      characters += kept.length;
      while (lines.length > mostLines || characters > mostCharacters) {
        characters -= lines.shift()?.text.length ?? 0;
        skipped += 1;
      }
    },
    isEmpty: () => lines.length === 0 && skipped === 0,
    take() {
      const all = { taken: lines, skipped };
      lines = [];
      characters = 0;
      skipped = 0;
      return all;
    },
  };
};
