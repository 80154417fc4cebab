import type * as z from 'zod';
import { figureQuery } from '#contracts/store/store-figures.ts';
import type { SearchValues } from '../../kit/routing/use-search-state.ts';

export const rangeNames = ['7', '30', '90', '365', 'custom'] as const;
type RangeName = (typeof rangeNames)[number];
const defaultRange = '30';

export interface ChosenRange {
  readonly name: RangeName;
  /** Null while the two typed dates make no range. */
  readonly query: z.input<typeof figureQuery> | null;
}

/** The range in the page's address. */
export const chosenRange = ({ range, from, to }: SearchValues): ChosenRange => {
  const name = rangeNames.find((one) => one === range) ?? defaultRange;
  if (name !== 'custom') return { name, query: { days: Number(name) } };
  const query = { from, to };
  const isRange = from !== undefined && to !== undefined && figureQuery.safeParse(query).success;
  return { name, query: isRange ? query : null };
};
