import type { ReactNode } from 'react';
import { Table } from '../../pages/display.tsx';
import { useReader, useWords } from '../../pages/reader.ts';
import { chartWords } from './chart.words.ts';

interface ChartSeries {
  readonly name: string;
  readonly tone: 'main' | 'good' | 'warn' | 'bad';
  /** One per step, none below zero. */
  readonly values: readonly number[];
  /** Drawn below the axis: values to subtract. */
  readonly down?: boolean;
  /** For the table, where a number alone is not enough. */
  readonly texts?: readonly string[];
}

const size = { width: 720, height: 220, left: 64, right: 8, top: 16, bottom: 30 } as const;
const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };
const labels = 6;

/** The next number of the form 1, 2 or 5 times a power of ten, so that the axis has round marks. */
const roundUp = (most: number): number => {
  if (most <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((mark) => mark >= most) ?? most;
};

const stacked = (series: readonly ChartSeries[], step: number): number =>
  series.reduce((sum, { values }) => sum + (values[step] ?? 0), 0);

/** Stacked bars by step, with the same numbers as a table for readers who cannot see them. */
export const BarChart = ({
  title,
  hideTitle,
  stepName,
  steps,
  series,
  empty,
}: {
  readonly title: string;
  /** Set if a heading above says it. */
  readonly hideTitle?: boolean;
  /** The name of a step in the table's head. */
  readonly stepName: string;
  readonly steps: readonly { readonly key: string; readonly short: string; readonly cell: ReactNode }[];
  readonly series: readonly ChartSeries[];
  /** Shown instead of an empty chart. */
  readonly empty: string;
}) => {
  const { language } = useReader();
  const words = useWords(chartWords);
  const ups = series.filter(({ down }) => !down);
  const downs = series.filter(({ down }) => down);
  const mostOf = (some: readonly ChartSeries[]) =>
    Math.max(0, ...steps.map((_, step) => stacked(some, step)));
  const isEmpty = mostOf(series) === 0;
  return (
    <figure className="stack">
      {!hideTitle && (
        <figcaption>
          <h3>{title}</h3>
        </figcaption>
      )}
      {isEmpty ? (
        <p className="quiet">{empty}</p>
      ) : (
        <>
          <Plot
            title={words.describe(title)}
            steps={steps}
            ups={ups}
            downs={downs}
            top={roundUp(mostOf(ups))}
            bottom={roundUp(mostOf(downs))}
            mark={(value) => new Intl.NumberFormat(language, { notation: 'compact' }).format(value)}
          />
          {series.length > 1 && <Key series={series} />}
          <details>
            <summary>{words.numbers}</summary>
            <Table
              caption={title}
              hideCaption
              head={[stepName, ...series.map(({ name }) => name)]}
              figures={series.map(({ name }) => name)}
              empty={empty}
              rows={steps
                .map(({ key, cell }, step) => ({
                  key,
                  cells: [
                    cell,
                    ...series.map(
                      ({ values, texts }) =>
                        texts?.[step] ?? new Intl.NumberFormat(language).format(values[step] ?? 0),
                    ),
                  ],
                }))
                .toReversed()}
            />
          </details>
        </>
      )}
    </figure>
  );
};

const Key = ({ series }: { series: readonly ChartSeries[] }) => (
  <ul className="key-of-plot quiet small">
    {series.map(({ name, tone }) => (
      <li key={name}>
        <svg viewBox="0 0 10 10" className="plot" aria-hidden="true">
          <rect className={`tone-${tone}`} width="10" height="10" rx="2" />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);

const Plot = ({
  title,
  steps,
  ups,
  downs,
  top,
  bottom,
  mark,
}: {
  readonly title: string;
  readonly steps: readonly { readonly key: string; readonly short: string; readonly cell: ReactNode }[];
  readonly ups: readonly ChartSeries[];
  readonly downs: readonly ChartSeries[];
  readonly top: number;
  readonly bottom: number;
  readonly mark: (value: number) => string;
}) => {
  const slot = inner.width / steps.length;
  const yOf = (value: number) => size.top + (inner.height * (top - value)) / (top + bottom);
  // Half a license is not a useful mark.
  const middle = Number.isInteger(top / 2) || top < 1 ? [top / 2] : [];
  const marks = [...new Set([top, ...middle, 0, -bottom])];
  const every = Math.ceil(steps.length / labels);
  return (
    <svg className="plot" viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={title}>
      {marks.map((value) => (
        <g key={value}>
          <line
            className={value === 0 ? 'axis' : 'grid'}
            x1={size.left}
            x2={size.width - size.right}
            y1={yOf(value)}
            y2={yOf(value)}
          />
          <text x={size.left - 8} y={yOf(value) + 4} textAnchor="end" fill="currentColor">
            {mark(value)}
          </text>
        </g>
      ))}
      {steps.map(({ key }, step) => (
        <g key={key}>
          <Stack series={ups} step={step} x={size.left + step * slot} width={slot * 0.8} yOf={yOf} />
          <Stack
            series={downs}
            step={step}
            x={size.left + step * slot}
            width={slot * 0.8}
            yOf={(value) => yOf(-value)}
          />
        </g>
      ))}
      {steps.map(({ key, short }, step) =>
        step % every === 0 ? (
          <text key={key} x={size.left + step * slot} y={size.height - 8} fill="currentColor">
            {short}
          </text>
        ) : null,
      )}
    </svg>
  );
};

const Stack = ({
  series,
  step,
  x,
  width,
  yOf,
}: {
  readonly series: readonly ChartSeries[];
  readonly step: number;
  readonly x: number;
  readonly width: number;
  readonly yOf: (value: number) => number;
}) => {
  let soFar = 0;
  return (
    <>
      {series.map(({ name, tone, values }) => {
        const value = values[step] ?? 0;
        const [from, to] = [yOf(soFar), yOf(soFar + value)];
        soFar += value;
        return value === 0 ? null : (
          <rect
            key={name}
            className={`tone-${tone}`}
            x={x}
            y={Math.min(from, to)}
            width={width}
            height={Math.max(1, Math.abs(to - from))}
          />
        );
      })}
    </>
  );
};
