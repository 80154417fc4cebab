import { revocationNumberHeader } from '#contracts/key-succession.ts';
import {
  type ActivateRequest,
  licensesHttp,
  type TokenResponse,
  type ValidateRequest,
} from '#contracts/licenses.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import type { RequestContext } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import type { LicenseAnswer } from './license-answer.ts';

export interface LicenseFeature {
  activate(request: ActivateRequest, address: string): Promise<LicenseAnswer>;
  validate(request: ValidateRequest, address: string): Promise<LicenseAnswer>;
  /** Of the newest strike of a signing key; 0 as long as there was none. */
  revocationNumber(): number;
}

export const licenseRoutes = (
  routes: PortalRoutes,
  { activate, validate, revocationNumber }: LicenseFeature,
): void => {
  /** Clients that know of fewer strikes fetch the newest. */
  const tellStrikes = ({ request }: RequestContext<null>): void => {
    if (revocationNumber() > 0) request.res?.set(revocationNumberHeader, String(revocationNumber()));
  };

  routes.on(licensesHttp.activate, async ({ body }, context) => {
    const answer = await activate(
      body,
      countedAddress(context.address, context.request.socket.remoteAddress),
    );
    tellStrikes(context);
    return tokenOf(answer);
  });
  routes.on(licensesHttp.validate, async ({ body }, context) => {
    const answer = await validate(
      body,
      countedAddress(context.address, context.request.socket.remoteAddress),
    );
    tellStrikes(context);
    return tokenOf(answer);
  });
};

const tokenOf = (answer: LicenseAnswer): TokenResponse => {
  if (answer.outcome === 'token') return answer.response;
  if (answer.outcome === 'refused') throw new Problem(answer.code);
  throw new Problem('RATE_LIMITED', {
    detail: `Wait ${answer.retryAfterSeconds} s before the next request.`,
    headers: { 'Retry-After': String(answer.retryAfterSeconds) },
  });
};
