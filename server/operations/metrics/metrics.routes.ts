import { observabilityHttp } from '#contracts/operations/observability.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Metrics } from './metrics.ts';

export const bindMetricsRoutes = (routes: ApiRoutes, metrics: Metrics): void => {
  routes.on(observabilityHttp.metrics, () => metrics.text());
};
