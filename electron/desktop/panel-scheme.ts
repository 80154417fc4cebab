import { type Protocol, protocol } from 'electron';
import { desktopOrigin } from '#contracts/identity/tickets.ts';
import { type ProblemCode, problemContentType } from '#contracts/kernel/problems.ts';
import { Problem, toProblemDocument } from '#runtime/problem.ts';
import { StartupError } from '#runtime/program.ts';
import type { ApiProxy } from './api-proxy.ts';
import type { PanelFiles } from './panel-files.ts';

const origin = new URL(desktopOrigin);
const scheme = origin.protocol.slice(0, -1);

/** Call it before Electron is ready: gives the panel's scheme the privileges of https. */
export const registerPanelScheme = (): void =>
  protocol.registerSchemesAsPrivileged([
    {
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);

/** Whether an address is one of our own pages. Node's `URL.origin` is useless for schemes like ours. */
export const isPanelAddress = (address: string): boolean => {
  const url = URL.parse(address);
  return url?.protocol === origin.protocol && url.host === origin.host;
};

const panelPages: readonly string[] = ['/', '/index.html'];

/** Whether a window may show an address. Answers of the API are for pages, and a page's pictures and scripts are no pages. */
export const isPanelPage = (address: string): boolean =>
  isPanelAddress(address) && panelPages.includes(new URL(address).pathname);

/** Serves `castellan://panel/…` from the panel's files, and `/api/…` there from the API. */
export const servePanel = (
  on: Protocol,
  {
    files,
    api,
    liveOrigin,
  }: {
    readonly files: PanelFiles;
    readonly api: ApiProxy;
    /** Where the page's WebSocket connects to. */
    readonly liveOrigin: () => string;
  },
): void =>
  on.handle(scheme, async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!isPanelAddress(request.url)) return problem('NOT_FOUND');
    if (!pathname.startsWith('/api/')) return file(files, pathname, liveOrigin());
    // A change does not wait for the API: no one would expect it to happen later.
    const refusal = await api.refusal(request.method === 'GET' || request.method === 'HEAD');
    if (refusal !== null) return problem('API_UNAVAILABLE', refusal);
    return forward(request, pathname + search, api);
  });

export const stopServingPanel = (on: Protocol): void => {
  if (on.isProtocolHandled(scheme)) on.unhandle(scheme);
};

/** The page's headers that the API needs; the origin concerns only the desktop. */
const passedOn = ['accept', 'accept-language', 'content-type', 'idempotency-key', 'range'] as const;
/** They describe the connection to the API, or are not for pages. */
const keptBack = ['connection', 'content-encoding', 'content-length', 'keep-alive', 'set-cookie'] as const;

const forward = async (request: Request, path: string, api: ApiProxy): Promise<Response> => {
  // Both ends are on this machine: compression would only cost time.
  const headers: Record<string, string> = { 'Accept-Encoding': 'identity' };
  for (const name of passedOn) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  try {
    const answer = await api.fetch(path, {
      method: request.method,
      headers,
      ...(hasBody && { body: await request.arrayBuffer() }),
      signal: request.signal,
    });
    const told = new Headers(answer.headers);
    for (const name of keptBack) told.delete(name);
    return new Response(answer.body, { status: answer.status, headers: told });
  } catch (error) {
    if (wasNeverSent(error)) return problem('API_UNAVAILABLE', 'The API does not answer.');
    // The API may have performed it. The page must see a lost connection, as it would in a browser.
    return Response.error();
  }
};

/** Our own refusals come before anything is sent. */
const wasNeverSent = (error: unknown): boolean =>
  error instanceof StartupError || (error as { cause?: { code?: unknown } }).cause?.code === 'ECONNREFUSED';

const file = async (files: PanelFiles, pathname: string, liveOrigin: string): Promise<Response> => {
  const found = files.get(pathname === '/' ? '/index.html' : pathname);
  if (!found) return problem('NOT_FOUND');
  return new Response(new Uint8Array(await found.read()), {
    headers: {
      'Content-Type': found.type,
      'Content-Security-Policy': contentSecurityPolicy(liveOrigin),
      'X-Content-Type-Options': 'nosniff',
    },
  });
};

const problem = (code: ProblemCode, detail?: string): Response => {
  const document = toProblemDocument(new Problem(code, detail === undefined ? {} : { detail }));
  return new Response(JSON.stringify(document), {
    status: document.status,
    headers: { 'Content-Type': problemContentType, 'Cache-Control': 'no-store' },
  });
};

/** The API's own policy for browsers, plus the API's WebSocket, which has another origin here. */
const contentSecurityPolicy = (liveOrigin: string): string =>
  [
    "default-src 'self'",
    `connect-src 'self' ${liveOrigin}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
