import { lonelyPoints } from './time-series.ts';

interface SparklineShapes {
  /** SVG paths; empty if there is nothing to draw. */
  readonly line: string;
  readonly area: string;
  /** Values between two gaps, where a line has no length. */
  readonly dots: string;
}

/** Half of the line's width: otherwise it would be cut off at the edges. */
const inset = 1;

/** The shapes of a graph in a box: one line for each run of known values, and nothing where a value is unknown. */
export const sparklineShapes = (
  values: readonly (number | null)[],
  width: number,
  height: number,
): SparklineShapes => {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  const last = Math.max(1, values.length - 1);
  const floor = height - inset;
  const x = (index: number) => round(inset + (index / last) * (width - 2 * inset));
  const y = (value: number) =>
    round(highest === 0 ? floor : floor - (value / highest) * (height - 2 * inset));
  const runs: (readonly [number, number])[][] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const point = [x(index), y(value)] as const;
    const isNew = index === 0 || values[index - 1] === null;
    if (isNew) runs.push([point]);
    else runs.at(-1)?.push(point);
  }
  const long = runs.filter(({ length }) => length > 1);
  const lineOf = (run: (typeof runs)[number]) => `M${run.map(([px, py]) => `${px} ${py}`).join('L')}`;
  return {
    line: long.map(lineOf).join(''),
    area: long.map((run) => `${lineOf(run)}L${run.at(-1)?.[0]} ${height}L${run[0]?.[0]} ${height}Z`).join(''),
    dots: lonelyPoints(values)
      .map((index) => `M${x(index)} ${y(values[index] ?? 0)}h0`)
      .join(''),
  };
};

const round = (value: number): number => Math.round(value * 10) / 10;
