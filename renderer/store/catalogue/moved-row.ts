/** @returns the list with the row moved from one index to another */
export const movedRow = <Row>(rows: readonly Row[], from: number, to: number): readonly Row[] => {
  const row = rows[from];
  if (row === undefined || from === to) return rows;
  const others = rows.toSpliced(from, 1);
  return others.toSpliced(to, 0, row);
};

/** @param centres of the rows in their current order, top to bottom @returns the index of a row whose centre is dragged there */
export const placeAt = (centres: readonly number[], at: number, own: number): number =>
  centres.filter((centre, place) => place !== own && centre < at).length;

/** @returns the index that a key leads to, or null */
export const placeByArrow = (key: string, place: number, count: number): number | null => {
  const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to));
};
