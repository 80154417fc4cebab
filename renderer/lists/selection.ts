/** Ids of rows, as the table keeps them. */
export type Selection = Readonly<Record<string, true>>;

const of = (ids: Iterable<string>): Selection =>
  Object.fromEntries(Array.from(ids, (id) => [id, true as const]));

export const isChosen = (selection: Selection, id: string): boolean => Object.hasOwn(selection, id);

export const isNoneChosen = (selection: Selection): boolean => Object.keys(selection).length === 0;

export const toggled = (selection: Selection, id: string): Selection => {
  if (!isChosen(selection, id)) return { ...selection, [id]: true };
  const { [id]: _left, ...rest } = selection;
  return rest;
};

const between = (order: readonly string[], a: string, b: string): readonly string[] => {
  const [from, to] = [order.indexOf(a), order.indexOf(b)].sort((x, y) => x - y);
  return from === undefined || to === undefined || from < 0 ? [] : order.slice(from, to + 1);
};

/**
 * The range from the anchor now ends at `to` instead of at `from`: rows that were only in the old range are deselected,
 * as in file lists with Shift.
 */
export const extended = (
  selection: Selection,
  order: readonly string[],
  anchor: string,
  from: string,
  to: string,
): Selection => {
  const left = new Set(between(order, anchor, from));
  const kept = Object.keys(selection).filter((id) => !left.has(id));
  return of([...kept, ...between(order, anchor, to)]);
};

/** All of them; or none, if they are all selected already. */
export const allOrNone = (selection: Selection, order: readonly string[]): Selection => {
  if (!order.every((id) => isChosen(selection, id))) return of([...Object.keys(selection), ...order]);
  const shown = new Set(order);
  return of(Object.keys(selection).filter((id) => !shown.has(id)));
};

/** Without the rows that are gone; the same object if all are still there. */
export const stillThere = (selection: Selection, ids: ReadonlySet<string>): Selection => {
  const chosen = Object.keys(selection);
  const kept = chosen.filter((id) => ids.has(id));
  return kept.length === chosen.length ? selection : of(kept);
};
