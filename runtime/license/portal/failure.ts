import { AnswerTooLargeError } from './exchange.ts';
import { ShownToProxyError } from './proxy.ts';

const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);
const noWay = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'ECONNREFUSED', 'EADDRNOTAVAIL']);
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_|SIGNATURE|ALTNAME|CRL/;
const tls = /SSL|TLS|EPROTO/;

/** Why an exchange failed, in words for people. */
export const explainFailure = (error: unknown, url: URL, timeoutMs: number): string => {
  if (error instanceof AnswerTooLargeError)
    return `What answers at ${url.host} is not the portal: its answer has no end.`;
  if (error instanceof Error && error.name === 'TimeoutError')
    return `The portal at ${url.host} did not answer within ${timeoutMs / 1000} s.`;
  if (error instanceof ShownToProxyError)
    return `The portal at ${url.host} is asked over http, and a proxy would see the license: use its https address, or no proxy.`;
  const code = codeOf(error);
  if (code === 'ERR_PROXY_TUNNEL') return `The proxy does not let us through to ${url.host}.`;
  if (unresolved.has(code)) return `The name ${url.hostname} could not be resolved; is this machine online?`;
  if (noWay.has(code)) return `Nothing answers at ${url.host} (${code}).`;
  if (certificate.test(code)) return `The certificate of ${url.host} is not accepted (${code}).`;
  if (tls.test(code)) return `No secure connection to ${url.host} could be made (${code}).`;
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return `No connection to ${url.host} within ${timeoutMs / 1000} s.`;
  return `The connection to ${url.host} broke${code ? ` (${code})` : ''}.`;
};

/** fetch hides the reason in a cause; when it tried several addresses, in an AggregateError. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
};
