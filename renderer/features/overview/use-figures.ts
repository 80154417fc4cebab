import { type FigureSpan, type Figures, figureSpans, figuresHttp } from '#contracts/figures.ts';
import type { Readable } from '../../design/shown.tsx';
import { useLastKnown } from '../../stack-health/use-last-known.ts';
import { useLive, useLiveState } from '../../wire/live.ts';
import { queryClient, readKey, useRead } from '../../wire/queries.ts';
import { withPoint } from './figure-points.ts';

const minuteMs = 60_000;
const fiveSecondsMs = 5000;

export interface ShownFigures {
  readonly read: Readable<Figures>;
  readonly lastKnownAt: string | null;
}

/** The figures of a span; the hour grows live, the longer ones are read anew each minute. */
export const useFigures = (span: FigureSpan): ShownFigures => {
  const isLive = useLiveState() === 'live';
  const isHour = span === 'hour';
  const awayMs = isHour ? 2 * fiveSecondsMs : minuteMs;
  const read = useRead(
    figuresHttp.read,
    { query: { span } },
    { ...(!(isLive && isHour) && { everyMs: awayMs }) },
  );
  useLive(isHour ? { topic: 'figures' } : null, (message) => {
    if (message.type !== 'figures') return;
    queryClient.setQueryData<Figures>(
      readKey(figuresHttp.read, { query: { span: 'hour' } }),
      (known) => known && withPoint(known, message.point),
    );
  });
  return { read, lastKnownAt: useLastKnown(read.dataUpdatedAt, awayMs) };
};

export const spanNames = Object.keys(figureSpans) as FigureSpan[];
/** What stands in the address, as far as it is a span. */
export const spanOf = (text: string | undefined): FigureSpan =>
  spanNames.find((name) => name === text) ?? 'hour';
