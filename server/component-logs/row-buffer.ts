import type { ComponentLogRow } from '#contracts/component-logs.ts';

/** Limit for what waits for one client: the newest rows, at most this many and this long together. */
export const mostRows = 500;
const mostCharacters = 256 * 1024;

/** A row, and its length on the wire. */
export interface MeasuredRow {
  readonly row: ComponentLogRow;
  readonly characters: number;
}

export const measureRow = (row: ComponentLogRow): MeasuredRow => ({
  row,
  characters: JSON.stringify(row).length,
});

export interface RowBuffer {
  /** @param skipped how many lines before these no one wants to see */
  add(rows: readonly MeasuredRow[], skipped: number): void;
  isEmpty(): boolean;
  /** Everything that waits, and how many lines before it were left out. */
  take(): { readonly rows: ComponentLogRow[]; readonly skipped: number };
}

/** Rows for one client, bounded however fast they come and however slowly it takes them. */
export const createRowBuffer = (): RowBuffer => {
  let waiting: MeasuredRow[] = [];
  let characters = 0;
  let skipped = 0;
  return {
    add(rows, skippedBefore) {
      if (skippedBefore > 0) {
        skipped += waiting.length + skippedBefore;
        waiting = [];
        characters = 0;
      }
      for (const row of rows) {
        waiting.push(row);
        characters += row.characters;
      }
      while (waiting.length > mostRows || characters > mostCharacters) {
        characters -= waiting.shift()?.characters ?? 0;
        skipped += 1;
      }
    },
    isEmpty: () => waiting.length === 0 && skipped === 0,
    take() {
      const all = { rows: waiting.map(({ row }) => row), skipped };
      waiting = [];
      characters = 0;
      skipped = 0;
      return all;
    },
  };
};
