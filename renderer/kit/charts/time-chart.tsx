import 'uplot/dist/uPlot.min.css';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useTimeZone } from '../language/time-zone.ts';
import { useFormat } from '../language/use-format.ts';
import { useLanguage, useWords } from '../language/use-words.ts';
import { chartsWords } from './charts.words.ts';
import { onSchemeChange, readPlotLook } from './plot-look.ts';
import { type ChartShape, plotOptions } from './plot-options.ts';
import classes from './time-chart.module.css';
import { placeByKey, summarize, type TimeSeries } from './time-series.ts';

const dataOf = ({ times, values }: TimeSeries): uPlot.AlignedData => [[...times], [...values]];

/** A plot in an element: it follows the data, the element's size, the language, the time zone and the colour scheme. */
const usePlot = (
  place: RefObject<HTMLElement | null>,
  series: TimeSeries,
  {
    shape,
    isWhole,
    format,
    onCursor,
  }: Omit<Parameters<typeof plotOptions>[0], 'look' | 'language' | 'timeZone'>,
): RefObject<uPlot | null> => {
  const plot = useRef<uPlot | null>(null);
  const newest = useRef({ series, format, onCursor });
  const language = useLanguage();
  const timeZone = useTimeZone();
  useEffect(() => {
    newest.current = { series, format, onCursor };
  });

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let look = readPlotLook(element);
    const made = new uPlot(
      plotOptions({
        language,
        timeZone,
        shape,
        isWhole,
        format: (value) => newest.current.format(value),
        look: () => look,
        onCursor: (at, left) => newest.current.onCursor(at, left),
      }),
      dataOf(newest.current.series),
      element,
    );
    plot.current = made;
    const sizes = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    sizes.observe(element);
    const forget = onSchemeChange(() => {
      look = readPlotLook(element);
      made.redraw(false, true);
    });
    return () => {
      forget();
      sizes.disconnect();
      plot.current = null;
      made.destroy();
    };
  }, [place, language, timeZone, shape, isWhole]);

  useEffect(() => {
    const { current } = plot;
    if (current) current.setData(dataOf(series));
  }, [series]);
  return plot;
};

const daySeconds = 86_400;

interface Cursor {
  readonly place: number;
  /** Within the plot, in pixels. */
  readonly left: number;
}

/**
 * A figure over time; unknown values are gaps. The pointer and the arrow keys show the value at a time; a screen reader
 * hears the newest, the lowest and the highest.
 */
export const TimeChart = (props: {
  /** What is drawn, in a word: "Players". */
  readonly label: string;
  readonly series: TimeSeries;
  /** A value with its unit. */
  readonly format: (value: number) => string;
  readonly shape?: ChartShape;
  readonly isWhole?: boolean;
  /** The name of the time at an index; by default its date and time. */
  readonly nameOf?: (place: number) => string;
}) => {
  const { label, series, format, shape = 'line', isWhole = false, nameOf } = props;
  const words = useWords(chartsWords);
  const formats = useFormat();
  const place = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const plot = usePlot(place, series, {
    shape,
    isWhole,
    format,
    onCursor: (at, left) => setCursor(at === null ? null : { place: at, left }),
  });

  const { times, values } = series;
  const says = (value: number | null | undefined) =>
    value === null || value === undefined ? words.unknown : format(value);
  const summary = summarize(values);
  const inWords = summary
    ? [
        words.summary(label, says(summary.now), format(summary.lowest), format(summary.highest)),
        summary.hasGaps && words.gaps,
      ]
        .filter(Boolean)
        .join(' ')
    : words.nothing(label);

  const lookAt = (at: number | null) => {
    const { current } = plot;
    const time = at === null ? undefined : times[at];
    if (current) current.setCursor({ left: time === undefined ? -10 : current.valToPos(time, 'x'), top: 0 });
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return lookAt(null);
    const to = placeByKey(event.key, cursor?.place ?? null, times.length);
    if (to === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    lookAt(to);
  };

  const at = cursor?.place ?? times.length - 1;
  const iso = new Date((times[at] ?? 0) * 1000).toISOString();
  const isOfDays = (times.at(-1) ?? 0) - (times[0] ?? 0) > daySeconds;
  const byClock = isOfDays ? `${formats.date(iso)} ${formats.time(iso)}` : formats.time(iso);
  const time = nameOf && times.length > 0 ? nameOf(Math.max(0, at)) : byClock;
  const offset = plot.current ? plot.current.over.offsetLeft + (cursor?.left ?? 0) : 0;
  const isRight = offset > (plot.current?.width ?? 0) / 2;
  return (
    <div className={classes.chart}>
      <div ref={place} className={classes.plot} role="img" aria-label={inWords} />
      {summary ? (
        <div
          className={classes.keys}
          role="slider"
          tabIndex={0}
          aria-label={words.cursor(label)}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, times.length - 1)}
          aria-valuenow={Math.max(0, at)}
          aria-valuetext={words.value(time, says(values[at]))}
          onKeyDown={onKey}
          onBlur={() => lookAt(null)}
        />
      ) : (
        <div className={classes.nothing} aria-hidden>
          {words.noData}
        </div>
      )}
      {cursor && (
        <div
          className={classes.tip}
          data-side={isRight ? 'left' : 'right'}
          style={{ left: offset }}
          aria-hidden
        >
          <span>{time}</span>
          <strong>{says(values[cursor.place])}</strong>
        </div>
      )}
    </div>
  );
};
