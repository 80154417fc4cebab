import type { EventRow } from '#contracts/operations/event-row.ts';

/** The rows with the new ones, newest first, each once. */
export const withEvents = (
  known: readonly EventRow[],
  come: readonly EventRow[],
  kept: number,
): readonly EventRow[] => {
  const ids = new Set(known.map(({ id }) => id));
  const fresh = come.filter(({ id }) => !ids.has(id));
  if (fresh.length === 0) return known;
  return [...fresh, ...known].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, kept);
};
