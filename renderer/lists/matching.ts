import type { ListFilter } from './list-props.ts';
import type { ListState } from './list-state.ts';

export interface Sieve<Row> {
  /** For each row; null if the API searches, or there is no search. */
  readonly texts: ((row: Row) => string) | null;
  readonly filters: readonly ListFilter<Row>[];
}

/** Without accents and case, as people search. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Folding changes nothing in it but its case. */
const isPlain = /^[\x20-\x7e]*$/;
const foldedFast = (text: string): string => (isPlain.test(text) ? text.toLowerCase() : folded(text));

/** The searched text of each row; folded when it is first searched, and only once. */
export const searchTexts = <Row>(
  rows: readonly Row[],
  search: (row: Row) => string,
): ((row: Row) => string) => {
  let texts: Map<Row, string> | null = null;
  return (row) => {
    texts ??= new Map(rows.map((each) => [each, foldedFast(search(each))]));
    return texts.get(row) ?? '';
  };
};

/** The rows that contain every word of the search and pass every filter. */
export const matching = <Row>(
  rows: readonly Row[],
  { texts, filters }: Sieve<Row>,
  { q, filters: chosen }: Pick<ListState, 'q' | 'filters'>,
): readonly Row[] => {
  const words = texts ? foldedFast(q).split(/\s+/).filter(Boolean) : [];
  const tests = filters.flatMap(({ id, matches }) => {
    const value = chosen[id];
    return matches && value !== undefined ? [(row: Row) => matches(row, value)] : [];
  });
  if (texts && words.length > 0) {
    tests.push((row) => {
      const text = texts(row);
      return words.every((word) => text.includes(word));
    });
  }
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((passes) => passes(row)));
};
