import uPlot from 'uplot';
import type { Language } from '#contracts/kernel/language.ts';
import type { PlotLook } from './plot-look.ts';
import { lonelyPoints } from './time-series.ts';

export type ChartShape = 'line' | 'bars';

const daySeconds = 86_400;
/** Ascending: the first one that leaves enough room is taken. */
const wholeSteps = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((size) => [1, 2, 5].map((step) => step * size));
/** Half of the longest time, “12:30 AM”: pixels that the last label extends beyond the plot. */
const halfTime = 28;

const timesIn = (language: Language, timeZone: string | undefined) => {
  const zone = timeZone === undefined ? {} : { timeZone };
  const days = new Intl.DateTimeFormat(language, { month: '2-digit', day: '2-digit', ...zone });
  const clock = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', ...zone });
  return (seconds: number[], apart: number) =>
    seconds.map((at) => (apart >= daySeconds ? days : clock).format(at * 1000));
};

/** Starts at zero, so that a small change never looks like a large one. */
const fromZero = (_: uPlot, __: number, highest: number | null): uPlot.Range.MinMax => [
  0,
  highest ? highest * 1.15 : 1,
];

const widthOf = (plot: uPlot, values: readonly string[] | null): number =>
  Math.ceil(Math.max(0, ...(values ?? []).map((text) => plot.ctx.measureText(text).width))) /
    devicePixelRatio +
  16;

export const plotOptions = (parts: {
  readonly language: Language;
  /** Undefined: the time zone of this device. */
  readonly timeZone: string | undefined;
  readonly shape: ChartShape;
  /** Counts whole things: no axis has halves of them. */
  readonly isWhole: boolean;
  readonly format: (value: number) => string;
  readonly look: () => PlotLook;
  /** The index under the cursor and its distance from the left, in pixels; null without a cursor. */
  readonly onCursor: (place: number | null, left: number) => void;
}): uPlot.Options => {
  const { timeZone, shape, isWhole, format, look, onCursor } = parts;
  const axis = { stroke: () => look().text, font: look().font, ticks: { show: false } };
  const times = timesIn(parts.language, timeZone);
  const bars = shape === 'bars' && uPlot.paths.bars?.({ size: [0.7, 24] });
  return {
    width: 300,
    height: 140,
    legend: { show: false },
    // Days begin at the reader's midnight.
    ...(timeZone !== undefined && { tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone) }),
    padding: [8, halfTime, 0, 0],
    scales: { x: { time: true }, y: { range: fromZero } },
    series: [
      {},
      {
        stroke: () => look().line,
        fill: () => (shape === 'bars' ? look().line : look().fill),
        width: shape === 'bars' ? 0 : 1.5,
        spanGaps: false,
        ...(bars && { paths: bars }),
        points: {
          show: shape === 'line',
          size: 4,
          fill: () => look().line,
          filter: (plot) => (shape === 'line' ? lonelyPoints([...(plot.data[1] ?? [])]) : null),
        },
      },
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 28,
        values: (_, splits, __, ___, apart) => times(splits, apart),
      },
      {
        ...axis,
        grid: { stroke: () => look().grid, width: 1 },
        space: 36,
        ...(isWhole && { incrs: wholeSteps }),
        size: (plot, values) => widthOf(plot, values),
        values: (_, splits) => splits.map(format),
      },
    ],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    hooks: {
      setCursor: [
        ({ cursor: { idx, left } }) =>
          left === undefined || left < 0 ? onCursor(null, 0) : onCursor(idx ?? null, left),
      ],
    },
  };
};
