import type { Request } from 'express';
import { portalHttp } from '#contracts/portal/portal.ts';
import { isSecret } from '#runtime/auth/secret-token.ts';
import { isFromThisMachine } from '#runtime/http/this-machine.ts';
import { Problem } from '#runtime/problem.ts';
import type { Secret } from '#runtime/secret.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import type { Metrics } from './metrics.ts';

/** @param token PORTAL_METRICS_TOKEN; null: metrics can be read on this machine only */
export const metricsRoutes = (routes: PortalRoutes, metrics: Metrics, token: Secret | null): void => {
  routes.on(portalHttp.metrics, (_input, { request }) => {
    if (!isFromThisMachine(request) && !(token && shows(request, token)))
      throw new Problem('UNAUTHENTICATED', {
        detail: 'Ask from this machine itself without a proxy, or with PORTAL_METRICS_TOKEN as bearer token.',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    return metrics.text();
  });
};

const shows = (request: Request, token: Secret): boolean => {
  const [, shown = ''] = /^Bearer +(\S+)$/i.exec(request.get('Authorization') ?? '') ?? [];
  return isSecret(shown, token);
};
