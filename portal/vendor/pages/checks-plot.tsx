import { Moment, Table } from '../../pages/display.tsx';
import type { HourOfChecks } from '../check-counts.ts';
import type { CheckOutcome } from '../vendor.tables.ts';

const words = {
  renewed: 'renewed',
  refused: 'refused',
  limited: 'over the limit',
} as const satisfies Record<CheckOutcome, string>;
const outcomes = Object.keys(words) as CheckOutcome[];

const size = { width: 720, height: 200, left: 80, right: 8, top: 16, bottom: 30 } as const;
const inner = { width: size.width - size.left - size.right, height: size.height - size.top - size.bottom };

const totalOf = (hour: HourOfChecks): number => outcomes.reduce((sum, outcome) => sum + hour[outcome], 0);

/** The next number of the form 1, 2 or 5 times a power of ten, so that the axis has round marks. */
const roundUp = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 5, 10].map((step) => step * power).find((mark) => mark >= most) ?? most;
};

const hourLabel = (hour: Date): string => `${hour.toISOString().slice(11, 13)}:00`;

/** Checks per hour as stacked bars, with the same numbers as a table for whoever does not see them. */
export const ChecksPlot = ({ hours }: { hours: readonly HourOfChecks[] }) => {
  const top = roundUp(Math.max(...hours.map(totalOf)));
  const slot = inner.width / hours.length;
  const yOf = (checks: number) => size.top + inner.height * (1 - checks / top);
  return (
    <>
      <svg
        className="plot"
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={`Checks per hour in the last ${hours.length} hours; the table below has the numbers.`}
      >
        {[0, top / 2, top].map((mark) => (
          <g key={mark}>
            <line
              className="grid"
              x1={size.left}
              x2={size.width - size.right}
              y1={yOf(mark)}
              y2={yOf(mark)}
            />
            <text x={size.left - 8} y={yOf(mark) + 4} textAnchor="end" fill="currentColor">
              {mark.toLocaleString('en-GB')}
            </text>
          </g>
        ))}
        {hours.map((hour, index) => (
          <Bar
            key={hour.hour.toISOString()}
            hour={hour}
            x={size.left + index * slot}
            width={slot * 0.8}
            yOf={yOf}
          />
        ))}
        {hours.map(({ hour }, index) =>
          index % 12 === hours.length % 12 ? (
            <text
              key={hour.toISOString()}
              x={size.left + index * slot}
              y={size.height - 8}
              fill="currentColor"
            >
              {hourLabel(hour)}
            </text>
          ) : null,
        )}
      </svg>
      <ul className="key-of-plot quiet small">
        {outcomes.map((outcome) => (
          <li key={outcome}>
            <svg viewBox="0 0 10 10" className="plot" aria-hidden="true">
              <rect className={outcome} width="10" height="10" rx="2" />
            </svg>
            {words[outcome]}
          </li>
        ))}
      </ul>
      <details>
        <summary>The numbers, in UTC</summary>
        <Table
          caption="Checks per hour"
          hideCaption
          head={['Hour', ...outcomes.map((outcome) => words[outcome])]}
          empty="Nothing was counted."
          rows={hours.toReversed().map((hour) => ({
            key: hour.hour.toISOString(),
            cells: [
              <Moment key="hour" at={hour.hour} />,
              ...outcomes.map((outcome) => hour[outcome].toLocaleString('en-GB')),
            ],
          }))}
        />
      </details>
    </>
  );
};

const Bar = ({
  hour,
  x,
  width,
  yOf,
}: {
  hour: HourOfChecks;
  x: number;
  width: number;
  yOf: (checks: number) => number;
}) => {
  let below = 0;
  return (
    <g>
      {outcomes.map((outcome) => {
        const from = below;
        below += hour[outcome];
        return hour[outcome] === 0 ? null : (
          <rect
            key={outcome}
            className={outcome}
            x={x}
            y={yOf(below)}
            width={width}
            height={Math.max(1, yOf(from) - yOf(below))}
          />
        );
      })}
    </g>
  );
};
