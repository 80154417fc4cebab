import type { DeliveryLine, GivenLine } from '#contracts/store/store.ts';
import type { SoldPart } from '../catalogue/sold-product.ts';
import type { NewDelivery } from '../deliveries/new-deliveries.ts';
import { splitPoints } from './split-points.ts';

/** Points: its share of the order line's price. */
type PlannedDelivery = Pick<NewDelivery, 'line' | 'points' | 'clusterIds' | 'serverIds' | 'approval'>;

interface Bought {
  readonly parts: readonly SoldPart[];
  /** Pieces of the product. */
  readonly quantity: number;
  /** Items per delivery. */
  readonly mostAtOnce: number;
}

/**
 * Deliveries for a line: as many gifts as an item needs; one command if it takes a quantity, otherwise one per piece; a role
 * once.
 */
const timesOf = (line: GivenLine, pieces: number, mostAtOnce: number): number => {
  if (line.kind === 'item') return Math.ceil((line.quantity * pieces) / mostAtOnce);
  if (line.kind === 'role') return 1;
  return line.command.includes('{quantity}') ? 1 : pieces;
};

export const countDeliveries = ({ parts, quantity, mostAtOnce }: Bought): number =>
  parts
    .flatMap((part) => part.lines.map((line) => timesOf(line, quantity * part.quantity, mostAtOnce)))
    .reduce((sum, times) => sum + times, 0);

/** Points are split between the parts by their worth, evenly between the lines of a part, and by quantity within a line. */
export const planDeliveries = (
  { parts, quantity, mostAtOnce }: Bought,
  paid: number,
): readonly PlannedDelivery[] => {
  const ofParts = splitPoints(
    paid,
    parts.map(({ worth }) => worth),
  );
  const lines = parts.flatMap(({ lines: given, clusterIds, serverIds, approval, ...part }, index) => {
    const ofLines = splitPoints(
      ofParts[index] ?? 0,
      given.map(() => 1),
    );
    const pieces = quantity * part.quantity;
    return given.map((line, place) => ({
      line,
      pieces,
      clusterIds,
      serverIds,
      approval: line.kind === 'command' ? approval : null,
      paid: ofLines[place] ?? 0,
    }));
  });
  return lines.flatMap(({ line, pieces, clusterIds, serverIds, approval, paid: share }, position) => {
    const times = timesOf(line, pieces, mostAtOnce);
    const whole = line.kind === 'item' ? line.quantity * pieces : pieces;
    const most = line.kind === 'item' ? mostAtOnce : whole / times;
    const quantities = Array.from({ length: times }, (_, index) => Math.min(most, whole - index * most));
    const points = splitPoints(share, quantities);
    return quantities.map((each, index) => ({
      line: { ...line, position, quantity: each } satisfies DeliveryLine,
      points: points[index] ?? 0,
      clusterIds,
      serverIds,
      approval,
    }));
  });
};
