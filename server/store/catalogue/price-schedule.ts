import { reasons } from '#contracts/kernel/reasons.ts';
import type { ScheduledPrice } from '#contracts/store/store.ts';

interface PriceOfMoment {
  readonly price: number;
  /** When another entry begins or this one ends, though the price may stay the same; null: never. */
  readonly until: Date | null;
}

const beginOf = ({ from }: ScheduledPrice): number => Date.parse(from);
const endOf = ({ until }: ScheduledPrice): number =>
  until === null ? Number.POSITIVE_INFINITY : Date.parse(until);

/** @param basePrice if the schedule has none */
export const priceAt = (basePrice: number, schedule: readonly ScheduledPrice[], now: Date): PriceOfMoment => {
  const atMs = now.getTime();
  const current = schedule.find((entry) => beginOf(entry) <= atMs && atMs < endOf(entry));
  const endMs = current
    ? endOf(current)
    : Math.min(Number.POSITIVE_INFINITY, ...schedule.map(beginOf).filter((beginMs) => beginMs > atMs));
  return {
    price: current?.price ?? basePrice,
    until: Number.isFinite(endMs) ? new Date(endMs) : null,
  };
};

/** Why no schedule can be like this; null if it can. */
export const findScheduleFault = (schedule: readonly ScheduledPrice[]): string | null => {
  const backwards = schedule.findIndex((entry) => beginOf(entry) >= endOf(entry));
  if (backwards !== -1) return reasons['price-backwards'](backwards + 1);
  const inOrder = schedule
    .map((entry, index) => ({ entry, place: index + 1 }))
    .toSorted((one, other) => beginOf(one.entry) - beginOf(other.entry));
  for (const [index, { entry, place }] of inOrder.entries()) {
    const next = inOrder[index + 1];
    if (next && beginOf(next.entry) < endOf(entry)) {
      const [first, second] = [place, next.place].toSorted((one, other) => one - other);
      return reasons['price-overlap'](first ?? place, second ?? next.place);
    }
  }
  return null;
};
