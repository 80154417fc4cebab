/** The row that has the keyboard position. */
export interface Position {
  readonly id: string;
  readonly index: number;
}

/** The row that has the keyboard position: its old place, if the row itself is gone. */
export const positionIn = (
  entries: readonly { readonly id: string }[],
  { id, index }: Position,
): Position | null => {
  if (entries[index]?.id === id) return { id, index };
  // Before the keyboard has reached any row there is none to look for, in a list that may be long.
  const found = id === '' ? -1 : entries.findIndex((entry) => entry.id === id);
  const at = found === -1 ? Math.min(index, entries.length - 1) : found;
  const entry = entries[at];
  return entry ? { id: entry.id, index: at } : null;
};

/** The target of a key; null for keys that do not move. */
export const destination = (key: string, index: number, count: number, page: number): number | null => {
  const last = count - 1;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, index + 1);
    case 'ArrowUp':
      return Math.max(0, index - 1);
    case 'PageDown':
      return Math.min(last, index + page);
    case 'PageUp':
      return Math.max(0, index - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
};
