import {
  type MetricSeries,
  type MetricSpan,
  metricHistoryHttp,
  metricSpans,
} from '#contracts/operations/metric-history.ts';
import { useLive, useLiveState } from '../../kit/api/live.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import type { Readable } from '../../kit/design/async-content.tsx';
import { useLastKnown } from '../../operations/use-last-known.ts';
import { withPoint } from './metric-points.ts';

const minuteMs = 60_000;
const fiveSecondsMs = 5000;

interface ShownMetrics {
  readonly read: Readable<MetricSeries>;
  readonly lastKnownAt: string | null;
}

/** The figures of a time span; the hour grows live, the longer ones are read again each minute. */
export const useMetricHistory = (span: MetricSpan): ShownMetrics => {
  const isLive = useLiveState() === 'live';
  const isHour = span === 'hour';
  const awayMs = isHour ? 2 * fiveSecondsMs : minuteMs;
  const read = useRead(
    metricHistoryHttp.read,
    { query: { span } },
    { ...(!(isLive && isHour) && { everyMs: awayMs }) },
  );
  useLive(isHour ? { topic: 'figures' } : null, (message) => {
    if (message.type !== 'figures') return;
    queryClient.setQueryData<MetricSeries>(
      readKey(metricHistoryHttp.read, { query: { span: 'hour' } }),
      (known) => known && withPoint(known, message.point),
    );
  });
  return { read, lastKnownAt: useLastKnown(read.dataUpdatedAt, { everyMs: awayMs, liveEveryMs: null }) };
};

export const spanNames = Object.keys(metricSpans) as MetricSpan[];
/** The text from the address, if it is a valid span. */
export const spanOf = (text: string | undefined): MetricSpan =>
  spanNames.find((name) => name === text) ?? 'hour';
