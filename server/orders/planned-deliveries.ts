import type { DeliveryLine, ProductLine } from '#contracts/store.ts';
import { splitPoints } from './split-points.ts';

export interface PlannedDelivery {
  readonly line: DeliveryLine;
  /** Its share of the order line's price. */
  readonly points: number;
}

interface Bought {
  readonly lines: readonly ProductLine[];
  /** Pieces of the product. */
  readonly quantity: number;
  /** Items per delivery. */
  readonly mostAtOnce: number;
}

/** Deliveries for a line: as many gifts as an item needs; one command if it takes a quantity, else one per piece; a role once. */
const timesOf = (line: ProductLine, { quantity, mostAtOnce }: Bought): number => {
  if (line.kind === 'item') return Math.ceil((line.quantity * quantity) / mostAtOnce);
  if (line.kind === 'role') return 1;
  return line.command.includes('{quantity}') ? 1 : quantity;
};

export const countDeliveries = (bought: Bought): number =>
  bought.lines.reduce((sum, line) => sum + timesOf(line, bought), 0);

/** Points are split evenly between lines, and by quantity within a line. */
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
