import {
  type ActivateRequest,
  licensesHttp,
  type TokenResponse,
  type ValidateRequest,
} from '#contracts/licenses.ts';
import type { RequestContext } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import { addressGroup } from '../rate-limits/address-group.ts';
import type { LicenseAnswer } from './license-answer.ts';

export interface LicenseFeature {
  activate(request: ActivateRequest, address: string): Promise<LicenseAnswer>;
  validate(request: ValidateRequest, address: string): Promise<LicenseAnswer>;
}

export const licenseRoutes = (routes: PortalRoutes, { activate, validate }: LicenseFeature): void => {
  routes.on(licensesHttp.activate, async ({ body }, context) =>
    tokenOf(await activate(body, countedAddress(context))),
  );
  routes.on(licensesHttp.validate, async ({ body }, context) =>
    tokenOf(await validate(body, countedAddress(context))),
  );
};

/** What a proxy wrote may be no address at all (`unknown`, or one with a port); then the proxy's own counts. */
const countedAddress = ({ address, request }: RequestContext<null>): string =>
  addressGroup(address) ?? addressGroup(request.socket.remoteAddress ?? '') ?? 'unknown';

const tokenOf = (answer: LicenseAnswer): TokenResponse => {
  if (answer.outcome === 'token') return answer.response;
  if (answer.outcome === 'refused') throw new Problem(answer.code);
  throw new Problem('RATE_LIMITED', {
    detail: `Wait ${answer.retryAfterSeconds} s before the next request.`,
    headers: { 'Retry-After': String(answer.retryAfterSeconds) },
  });
};
