import {
  type MetricSeries,
  type MetricSpan,
  metricHistoryHttp,
} from '#contracts/operations/metric-history.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import { coalesceReads } from '../../kernel/database/coalesce-reads.ts';

export const bindMetricHistoryRoutes = (
  routes: ApiRoutes,
  read: (span: MetricSpan) => Promise<MetricSeries>,
  obstacle: () => string | null,
): void => {
  const readings = {
    // Read from memory, whatever is wrong with the database.
    hour: () => read('hour'),
    day: coalesceReads(() => read('day'), obstacle),
    month: coalesceReads(() => read('month'), obstacle),
  } as const satisfies Record<MetricSpan, () => Promise<MetricSeries>>;
  routes.on(metricHistoryHttp.read, ({ query }) => readings[query.span]());
};
