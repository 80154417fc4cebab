import type { ReactNode } from 'react';

export type EntryGroup = 'recent' | 'pages' | 'servers' | 'acts' | 'players';

/** Something that the palette leads to or does. */
export interface Entry {
  /** Stays the same for good: what was used last is kept by it. */
  readonly id: string;
  readonly group: EntryGroup;
  readonly label: string;
  /** What tells it from others of its name. */
  readonly hint?: string;
  /** What it is found by besides its label, such as its name in the other language. */
  readonly also?: readonly string[];
  readonly icon: ReactNode;
  readonly run: () => void;
}
