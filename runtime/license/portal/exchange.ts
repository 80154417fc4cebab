import { revocationNumberHeader } from '#contracts/license/key-succession.ts';
import { licenseEndHeader } from '#contracts/license/licenses.ts';
import { readRetryAfter } from '../../http/retry-after.ts';
import { isDirect } from '../../outside/direct-hosts.ts';
import { outside } from '../../outside/outside.ts';
import type { Secret } from '../../secret.ts';

/** One answer, whole and bounded. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower case, without parameters, cut to a length that no real one has. */
  readonly contentType: string;
  /** The wait that it asks for, at most `longestWaitMs`; null when it asks for none. */
  readonly retryAfterMs: number | null;
  /** Number of the newest revocation of signing keys that the portal mentions; 0 when it mentions none. */
  readonly revocationNumber: number;
  /** End of the license from the header; null when the header is missing. */
  readonly licenseEnd: string | null;
  /** The server's time, ISO 8601; null over http, where anyone on the way can change it, and when it is not said. */
  readonly serverAt: string | null;
  readonly text: string;
}

/**
 * A server that answers in the portal's place, or a portal whose clock is wrong, must not put a check off for good or keep a person
 * from trying; a portal that wants a longer wait says so again afterwards.
 */
export const longestWaitMs = 60 * 60_000;

/** The wait that an answer asks for, as people are told it. */
export const retryAfterSecondsOf = ({ retryAfterMs }: Pick<HttpAnswer, 'retryAfterMs'>): number | null =>
  retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1000);

const contentTypeMaxLength = 100;

/** Several times the largest token, and more than the longest succession of keys. */
const answerMaxBytes = 131_072;

export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/** An http request would show everything, license included, to the proxy. */
export class ShownToProxyError extends Error {
  override readonly name = 'ShownToProxyError';
}

export interface Question {
  readonly url: URL;
  /** Without a body it is a GET, unless a method is given. */
  readonly body?: object | null;
  readonly method?: string;
  /** The token of a session. */
  readonly bearer?: Secret;
  /** For the whole exchange, connecting included. */
  readonly timeoutMs: number;
  readonly stop?: AbortSignal | undefined;
  /** The proxy to the portal, in place of the one to everything outside. */
  readonly proxy?: Secret | undefined;
}

/**
 * Sends JSON, or fetches when there is no body, and reads the answer; redirects are not followed, so that the license key goes
 * nowhere else.
 * @throws what fetch throws, a TimeoutError, {AnswerTooLargeError}, or {ShownToProxyError} for http to where a proxy leads
 */
export const exchange = async (question: Question): Promise<HttpAnswer> => {
  const { url, body = null, method = body ? 'POST' : 'GET', bearer, timeoutMs, stop, proxy } = question;
  if (proxy && url.protocol === 'http:' && !isDirect(url, '')) throw new ShownToProxyError();
  const timeout = AbortSignal.timeout(timeoutMs);
  const init = {
    method,
    ...(body && { body: JSON.stringify(body) }),
    headers: {
      ...(body ? { 'Content-Type': 'application/json' } : { 'Cache-Control': 'no-cache' }),
      ...(bearer && { Authorization: `Bearer ${bearer.reveal()}` }),
      Accept: 'application/json, application/problem+json',
    },
    redirect: 'manual' as const,
    signal: stop ? AbortSignal.any([timeout, stop]) : timeout,
  };
  const response = await outside().fetch(url, init, proxy);
  const waitMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
  const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';');
  return {
    status: response.status,
    contentType: contentType.trim().toLowerCase().slice(0, contentTypeMaxLength),
    retryAfterMs: waitMs === null ? null : Math.min(waitMs, longestWaitMs),
    revocationNumber: Number(response.headers.get(revocationNumberHeader)) || 0,
    licenseEnd: response.headers.get(licenseEndHeader),
    serverAt: url.protocol === 'https:' ? readDate(response.headers.get('date')) : null,
    text: await readBounded(response),
  };
};

const readDate = (text: string | null): string | null => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};

const readBounded = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerMaxBytes) throw new AnswerTooLargeError(`more than ${answerMaxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};
