import { type FigureSpan, type Figures, figuresHttp } from '#contracts/figures.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { shareReading } from '../database/shared-reading.ts';

export const bindMetricHistoryRoutes = (
  routes: ApiRoutes,
  read: (span: FigureSpan) => Promise<Figures>,
  obstacle: () => string | null,
): void => {
  const readings = {
    // Out of memory, whatever stands in the database's way.
    hour: () => read('hour'),
    day: shareReading(() => read('day'), obstacle),
    month: shareReading(() => read('month'), obstacle),
  } as const satisfies Record<FigureSpan, () => Promise<Figures>>;
  routes.on(figuresHttp.read, ({ query }) => readings[query.span]());
};
