import classes from './sparkline.module.css';
import { sparklineShapes } from './sparkline-path.ts';

/**
 * A graph the size of a word, from zero to its own highest value. Screen readers skip it: the place that shows it states
 * its number in words.
 */
export const Sparkline = (props: {
  /** Oldest first; null is unknown: a gap. */
  readonly values: readonly (number | null)[];
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
}) => {
  const { values, width = 96, height = 20 } = props;
  const { line, area, dots } = sparklineShapes(values, width, height);
  return (
    <svg
      className={classes.sparkline}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden
      focusable="false"
    >
      <path className={classes.area} d={area} />
      <path className={classes.line} d={line} />
      <path className={classes.dots} d={dots} />
    </svg>
  );
};
