import * as z from 'zod';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import { problemContentType, problemDocument, problems } from '#contracts/kernel/problems.ts';
import type { PortalFailure } from '#contracts/license/license-answers.ts';
import { refusalCodes } from '#contracts/license/license-refusals.ts';
import {
  type ActivateRequest,
  licenseNeverEnds,
  licensesHttp,
  type TokenClaims,
  tokenResponse,
  type ValidateRequest,
} from '#contracts/license/licenses.ts';
import { readJson } from '../../read-json.ts';
import type { Secret } from '../../secret.ts';
import { detailMaxLength } from '../record/license-record.ts';
import { fetchSuccession } from '../succession/fetch-succession.ts';
import type { KeyTrust } from '../succession/key-trust.ts';
import { explainForeign, readToken, type TokenReading } from '../token.ts';
import { exchange, type HttpAnswer, retryAfterSecondsOf } from './exchange.ts';
import { explainFailure } from './failure.ts';

/**
 * The meaning of the portal's answer. Only its own problem document refuses; anything else without a good token says nothing
 * about the license.
 */
export type Answer =
  | {
      readonly outcome: 'confirmed';
      readonly token: string;
      readonly claims: TokenClaims;
      /** End of the license, ISO 8601; null: never. Undefined when the portal does not send it. */
      readonly endsAt: string | null | undefined;
    }
  | PortalFailure;

export interface PortalClient {
  activate(request: ActivateRequest, stop?: AbortSignal): Promise<Answer>;
  validate(request: ValidateRequest, stop?: AbortSignal): Promise<Answer>;
}

/** The subject that a token must match to answer our question. */
interface Expected {
  readonly hwid: string;
  readonly tenantId?: string;
}

/** Asks the portal; every outcome is a value. */
export const createPortalClient = ({
  portalUrl,
  trust,
  timeoutMs = 10_000,
  proxy = () => undefined,
}: {
  readonly portalUrl: string;
  readonly trust: KeyTrust;
  /** For the whole exchange, connecting included. */
  readonly timeoutMs?: number;
  /** Read for each request, since it may have changed. */
  readonly proxy?: () => Secret | undefined;
}): PortalClient => {
  const asking = (path: string) => {
    const url = new URL(portalUrl.replace(/\/*$/, path));
    return async (body: Expected, stop?: AbortSignal): Promise<Answer> => {
      let answer: HttpAnswer;
      try {
        answer = await exchange({ url, body, timeoutMs, stop, proxy: proxy() });
      } catch (error) {
        return unreachable(await explainFailure(error, url, proxy()));
      }
      if (answer.contentType === 'text/html' && ofPages.has(answer.status))
        return unreachable(outsideReasons['outside-page'](url.host));
      const read = async (token: string): Promise<TokenReading> => {
        const reading = await readToken(token, trust.keys);
        const isBehind = answer.revocationNumber > trust.revocationNumber;
        if (!isBehind && !(reading.kind === 'foreign' && reading.reason === 'unknown')) return reading;
        const published = await fetchSuccession(portalUrl, { timeoutMs, stop, proxy: proxy() });
        if (published) await trust.learn(published);
        return readToken(token, trust.keys);
      };
      return interpret(answer, body, read);
    };
  };
  return { activate: asking(licensesHttp.activate.path), validate: asking(licensesHttp.validate.path) };
};

/** With these, filters and sign-in pages of networks answer in a server's place (RFC 6585, 7725); a portal in trouble does not. */
const ofPages: ReadonlySet<number> = new Set([200, 403, 451, 511]);

type ReadToken = (token: string) => Promise<TokenReading>;

const interpret = async (answer: HttpAnswer, expected: Expected, read: ReadToken): Promise<Answer> => {
  switch (answer.status) {
    case 200:
      return interpretToken(answer, expected, read);
    case 403:
      return interpretRefusal(answer);
    case 429:
      return {
        outcome: 'rate-limited',
        retryAfterSeconds: retryAfterSecondsOf(answer),
        detail: 'The portal is asked too often from this address at the moment.',
      };
    default:
      return unreachable(describe(answer), answer.serverAt);
  }
};

const unreachable = (detail: string, portalAt: string | null = null): Answer => ({
  outcome: 'unreachable',
  detail,
  ...(portalAt !== null && { portalAt }),
});

const describe = ({ status, contentType }: HttpAnswer): string => {
  if (status >= 300 && status < 400) return `The portal's address redirects elsewhere (HTTP ${status}).`;
  return `Something answered in the portal's stead, or the portal is in trouble (HTTP ${status}, ${contentType || 'no content type'}).`;
};

const interpretToken = async (answer: HttpAnswer, expected: Expected, read: ReadToken): Promise<Answer> => {
  const response = readJson(tokenResponse, answer.text);
  if (!response) return unreachable('What answered is not the portal: no license token came back.');
  const { token } = response;
  const reading = await read(token);
  if (reading.kind === 'foreign') {
    const { kid, reason } = reading;
    return { outcome: 'wrong-environment', kid, detail: explainForeign(kid, reason) };
  }
  if (reading.kind === 'invalid')
    return unreachable(`The portal's answer cannot be trusted: ${reading.detail}.`);
  const { claims } = reading;
  if (claims.hwid !== expected.hwid)
    return unreachable('The portal answered with a token for another machine.');
  if (expected.tenantId !== undefined && claims.tenantId !== expected.tenantId)
    return unreachable('The portal answered with a token for another customer.');
  return { outcome: 'confirmed', token, claims, endsAt: readEnd(answer.licenseEnd) };
};

/** An unreadable header counts as missing. */
const readEnd = (header: string | null): string | null | undefined => {
  if (header === licenseNeverEnds) return null;
  return z.iso.datetime().safeParse(header).data;
};

const interpretRefusal = (answer: HttpAnswer): Answer => {
  const isProblem = answer.contentType === problemContentType;
  const document = isProblem ? readJson(problemDocument, answer.text) : null;
  const code = document?.code;
  if (code === undefined) return unreachable(describe(answer));
  const detail = shown(document?.detail) || `${problems[code].meaning} ${problems[code].remedy}`;
  const refusal = refusalCodes.find((known) => known === code);
  if (refusal !== undefined) return { outcome: 'refused', code: refusal, detail };
  return code === 'UNAUTHORIZED' ? { outcome: 'unauthorized', detail } : unreachable(describe(answer));
};

/** Foreign text, reduced to one line of reasonable length. */
const shown = (text = ''): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, detailMaxLength);
