import type { Request } from 'express';

const hostOf = (origin: string): string | null =>
  /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin).host : null;

/**
 * Whether the browser says that one of our own pages sends this request. Every browser says so with a form; what says
 * nothing is no form of ours.
 * @param publicUrl where browsers reach the portal, when a proxy shows us another name
 */
export const isFromOwnPage = (request: Request, publicUrl: string | null): boolean => {
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = request.get('Origin');
  if (origin === undefined) return site !== undefined;
  const host = hostOf(origin);
  return host !== null && (host === request.host || (publicUrl !== null && host === hostOf(publicUrl)));
};
