import type { DeliveryLine, ProductLine } from '#contracts/store.ts';
import { splitPoints } from './split-points.ts';

export interface PlannedDelivery {
  readonly line: DeliveryLine;
  /** Its part of what is paid for the order line. */
  readonly points: number;
}

interface Bought {
  readonly lines: readonly ProductLine[];
  /** Pieces of the product. */
  readonly quantity: number;
  /** Items of a kind in one delivery. */
  readonly mostAtOnce: number;
}

/** How often the game is told a line: an item in as many gifts as it takes, a command once where it takes a quantity. */
const timesOf = (line: ProductLine, { quantity, mostAtOnce }: Bought): number => {
  if (line.kind === 'item') return Math.ceil((line.quantity * quantity) / mostAtOnce);
  return line.command.includes('{quantity}') ? 1 : quantity;
};

export const countDeliveries = (bought: Bought): number =>
  bought.lines.reduce((sum, line) => sum + timesOf(line, bought), 0);

/** The points are shared by the lines alike, and within a line by quantity. */
export const planDeliveries = (bought: Bought, paid: number): readonly PlannedDelivery[] => {
  const { lines, quantity, mostAtOnce } = bought;
  const shares = splitPoints(
    paid,
    lines.map(() => 1),
  );
  return lines.flatMap((line, position) => {
    const times = timesOf(line, bought);
    const whole = line.kind === 'item' ? line.quantity * quantity : quantity;
    const most = line.kind === 'item' ? mostAtOnce : whole / times;
    const quantities = Array.from({ length: times }, (_, index) => Math.min(most, whole - index * most));
    const points = splitPoints(shares[position] ?? 0, quantities);
    return quantities.map((each, index) => ({
      line: { ...line, position, quantity: each },
      points: points[index] ?? 0,
    }));
  });
};
