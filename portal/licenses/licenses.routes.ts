import { problems } from '#contracts/kernel/problems.ts';
import { revocationNumberHeader } from '#contracts/license/key-succession.ts';
import {
  type ActivateRequest,
  licenseEndHeader,
  licenseNeverEnds,
  licensesHttp,
  type TokenResponse,
  type ValidateRequest,
} from '#contracts/license/licenses.ts';
import { withVendorReason } from '#contracts/portal/vendor-reason.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import type { RequestContext } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import type { PortalRoutes } from '../portal-routes.ts';
import type { LicenseAnswer } from './license-answer.ts';
import { writeExpiry } from './license-view.ts';

export interface LicenseFeature {
  activate(request: ActivateRequest, address: string): Promise<LicenseAnswer>;
  validate(request: ValidateRequest, address: string): Promise<LicenseAnswer>;
  /** The number of the newest revocation of a signing key; 0 if there is none. */
  revocationNumber(): number;
}

export const licenseRoutes = (
  routes: PortalRoutes,
  { activate, validate, revocationNumber }: LicenseFeature,
): void => {
  /** Clients that know an older revocation fetch the newest one. */
  const tellStrikes = ({ request }: RequestContext<null>): void => {
    if (revocationNumber() > 0) request.res?.set(revocationNumberHeader, String(revocationNumber()));
  };

  const tellEnd = (answer: LicenseAnswer, { request }: RequestContext<null>): void => {
    if (answer.outcome === 'token')
      request.res?.set(licenseEndHeader, answer.endsAt ? writeExpiry(answer.endsAt) : licenseNeverEnds);
  };

  routes.on(licensesHttp.activate, async ({ body }, context) => {
    const answer = await activate(
      body,
      countedAddress(context.address, context.request.socket.remoteAddress),
    );
    tellStrikes(context);
    tellEnd(answer, context);
    return tokenOf(answer);
  });
  routes.on(licensesHttp.validate, async ({ body }, context) => {
    const answer = await validate(
      body,
      countedAddress(context.address, context.request.socket.remoteAddress),
    );
    tellStrikes(context);
    tellEnd(answer, context);
    return tokenOf(answer);
  });
};

/** The interface leaves the wording of a refusal open; its code is fixed. */
const detailOf = ({ code, reason }: Extract<LicenseAnswer, { outcome: 'refused' }>) =>
  reason && (code === 'SUSPENDED' || code === 'REVOKED')
    ? { detail: withVendorReason(problems[code].meaning, reason) }
    : {};

const tokenOf = (answer: LicenseAnswer): TokenResponse => {
  if (answer.outcome === 'token') return answer.response;
  if (answer.outcome === 'refused') throw new Problem(answer.code, detailOf(answer));
  throw new Problem('RATE_LIMITED', {
    detail: `Wait ${answer.retryAfterSeconds} s before the next request.`,
    headers: { 'Retry-After': String(answer.retryAfterSeconds) },
  });
};
