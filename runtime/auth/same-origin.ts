import type { Request } from 'express';
import { desktopOrigin } from '#contracts/tickets.ts';

/**
 * Whether a browser says that one of our own pages asks. Requests that come in by a cookie and change something must
 * show it: by Sec-Fetch-Site, by Origin, or by both. What browsers cannot be made to send, no other site can forge.
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

/** Whether a browser says that another site asks. Programs that are no browsers say nothing, the desktop its own name. */
export const isCrossOrigin = (request: Request): boolean =>
  request.get('Origin') !== desktopOrigin &&
  (request.get('Origin') !== undefined || request.get('Sec-Fetch-Site') !== undefined) &&
  !isSameOrigin(request);

/** Host and port of an Origin header; null for `null` and what is no web origin. */
export const hostOf = (origin: string): string | null =>
  /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin).host : null;
