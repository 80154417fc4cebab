import type { Request } from 'express';
import { desktopOrigin } from '#contracts/identity/tickets.ts';

/** The origin that the settings name for browsers; null: none. */
export type ReadPublicAddress = () => Promise<string | null>;

/**
 * Whether a browser says that the request comes from one of our own pages. Requests that authenticate with a cookie and change
 * something must show it. A page cannot set any of these headers for a request to another site.
 *
 * Sec-Fetch-Site alone decides where it is sent: the browser compares the addresses that it knows itself, so a proxy that passes
 * on another Host does no harm. Browsers send it over TLS and on localhost; otherwise Origin must name
 * the host that the request was sent to, or the public address.
 * @param publicUrl where browsers reach us, when a proxy shows us another name
 */
export const isSameOrigin = (request: Request, publicUrl: string | null = null): boolean => {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site === 'same-origin';
  const page = originOf(request.get('Origin'));
  if (page === null) return false;
  if (publicUrl !== null && isSameHost(page, originOf(publicUrl))) return true;
  return requestHosts(request).some((host) => isPageOf(page, host));
};

/**
 * Whether a browser says that the request comes from another site. Programs other than browsers send no origin, and the desktop
 * sends its own name.
 */
export const isCrossOrigin = (request: Request, publicUrl: string | null = null): boolean =>
  request.get('Origin') !== desktopOrigin &&
  (request.get('Origin') !== undefined || request.get('Sec-Fetch-Site') !== undefined) &&
  !isSameOrigin(request, publicUrl);

/** Null for `null` and for anything that is not a web origin. */
export const originOf = (text: string | undefined): URL | null =>
  text !== undefined && /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : null;

/**
 * Whether a page's origin has the host that a Host header names. Case, IDN, a final dot and the default port of the page's own
 * scheme make no difference, and neither does a host that a proxy repeats (`a.example, a.example`).
 */
export const isPageOf = (page: URL, hostHeader: string): boolean => {
  const [host = '', ...others] = hostHeader.split(',').map((part) => part.trim());
  if (others.some((other) => other !== host) || /[/@?#\\]/.test(host)) return false;
  return isSameHost(page, originOf(`${page.protocol}//${host}`));
};

const isSameHost = (page: URL, other: URL | null): boolean =>
  other !== null &&
  page.protocol === other.protocol &&
  page.port === other.port &&
  page.hostname.replace(/\.$/, '') === other.hostname.replace(/\.$/, '');

/** The hosts that the request was sent to, as far as TRUST_PROXY lets us believe it. */
const requestHosts = (request: Request): readonly string[] => {
  const sent = request.get('Host') ?? '';
  const forwarded = request.host ?? '';
  // Some proxies pass on the port only in a header of its own.
  const isTrusted = request.app.get('trust proxy fn') as (
    address: string | undefined,
    hop: number,
  ) => boolean;
  const port = request.get('X-Forwarded-Port');
  const isPortMissing = port !== undefined && /^\d{1,5}$/.test(port) && !/:\d+$/.test(forwarded);
  const whole = isPortMissing && isTrusted(request.socket.remoteAddress, 0) ? [`${forwarded}:${port}`] : [];
  return [sent, forwarded, ...whole];
};
