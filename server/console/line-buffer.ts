import { storableText } from '../database/storable-text.ts';

/** Of what waits for one client: the newest lines, at most so many and so long together. */
const mostLines = 500;
const mostCharacters = 64 * 1024;
const longestLine = 4000;

export interface LineBuffer {
  add(line: { readonly at: Date; readonly text: string }): void;
  isEmpty(): boolean;
  /** All that waits, and how many lines before it were left out. */
  take(): { readonly taken: { at: string; text: string }[]; readonly skipped: number };
}

/** Lines for one client, bounded however fast they come and however slowly it takes them. */
export const createLineBuffer = (): LineBuffer => {
  let lines: { at: string; text: string }[] = [];
  let characters = 0;
  let skipped = 0;
  return {
    add({ at, text }) {
      const kept = storableText(text, longestLine);
      lines.push({ at: at.toISOString(), text: kept });
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
