import { type RefObject, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { useTimeZone } from '../language/time-zone.ts';
import { useLanguage } from '../language/use-words.ts';
import { onSchemeChange, readPlotLook } from './plot-look.ts';
import { type PlotParts, plotOptions } from './plot-options.ts';
import type { TimeSeries } from './time-series.ts';

const dataOf = ({ times, values }: TimeSeries): uPlot.AlignedData => [[...times], [...values]];

/** A plot in an element: it follows the data, the element's size, the language, the time zone and the colour scheme. */
export const usePlot = (
  place: RefObject<HTMLElement | null>,
  series: TimeSeries,
  { shape, isWhole, format, onCursor }: Omit<PlotParts, 'look' | 'language' | 'timeZone'>,
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
