import type { Request } from 'express';
import { desktopOrigin } from '#contracts/tickets.ts';

/**
 * Whether a browser says that the request comes from one of our own pages. Requests that authenticate with a cookie and change
 * something must show it: by Sec-Fetch-Site, by Origin, or by both. Other sites cannot forge headers that they cannot make a
 * browser send.
 * @param publicUrl where browsers reach us, when a proxy shows us another name
 */
export const isSameOrigin = (request: Request, publicUrl: string | null = null): boolean => {
  const site = request.get('Sec-Fetch-Site');
  const origin = request.get('Origin');
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site !== undefined;
  const host = hostOf(origin);
  return host !== null && (host === request.host || (publicUrl !== null && host === hostOf(publicUrl)));
};

/**
 * Whether a browser says that the request comes from another site. Programs other than browsers send no origin, and the desktop
 * sends its own name.
 */
export const isCrossOrigin = (request: Request): boolean =>
  request.get('Origin') !== desktopOrigin &&
  (request.get('Origin') !== undefined || request.get('Sec-Fetch-Site') !== undefined) &&
  !isSameOrigin(request);

/** Host and port of an Origin header; null for `null` and for anything that is not a web origin. */
export const hostOf = (origin: string): string | null =>
  /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin).host : null;
