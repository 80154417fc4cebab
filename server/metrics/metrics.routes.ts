import { observabilityHttp } from '#contracts/observability.ts';
import type { Routes } from '#runtime/http/routes.ts';
import type { Metrics } from './metrics.ts';

export const bindMetricsRoutes = (routes: Routes, metrics: Metrics): void => {
  routes.on(observabilityHttp.metrics, () => metrics.text());
};
