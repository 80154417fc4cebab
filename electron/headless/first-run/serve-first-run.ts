import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ActivationFailure } from '#contracts/license/license-answers.ts';
import { isToken, newSecretText, tokenDigest } from '#runtime/auth/secret-token.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { type FirstRunView, firstRunPath, firstRunPolicy, renderFirstRun } from './first-run-html.ts';

/** A page on this machine alone that takes the license key and leads to the owner, for who has the link from the terminal. */
interface FirstRunPage extends AsyncDisposable {
  /** Opens it once. */
  readonly link: string;
  /** When it is over: there is an owner, the time is up, or it was disposed. */
  readonly ended: Promise<'done' | 'expired' | 'disposed'>;
}

const halfAnHourMs = 30 * 60_000;
const cookieName = 'castellan-first-run';
/** Programs on all ports of this machine share their cookies. */
const mostHeaderBytes = 64 * 1024;
const mostBytes = 4096;
const ownerPollMs = 1000;

export const serveFirstRun = async ({
  license,
  ownerLink,
  lastsMs = halfAnHourMs,
}: {
  readonly license: Pick<LicenseClient, 'activate' | 'status'>;
  /** The panel's page for the first owner; null: there is none now. */
  readonly ownerLink: () => Promise<string | null>;
  /** Milliseconds for which the link works. */
  readonly lastsMs?: number;
}): Promise<FirstRunPage> => {
  const token = newSecretText();
  const session = newSecretText();
  const [tokenHash, sessionHash] = [tokenDigest(token), tokenDigest(session)];
  let isTokenUsed = false;
  let fault: ActivationFailure | null = null;
  /** There was a link: once it is gone, someone has become the owner. */
  let hadLink = false;
  const ended = Promise.withResolvers<'done' | 'expired' | 'disposed'>();

  const isLicensed = () => ['valid', 'grace'].includes(license.status().state);
  const view = async (): Promise<FirstRunView> => {
    if (!isLicensed()) return { kind: 'license', fault };
    const link = await ownerLink();
    hadLink ||= link !== null;
    return link === null ? { kind: 'starting' } : { kind: 'owner', link };
  };
  /** One at a time: two answers of the portal to one key would be one activation too many. */
  const activate = singleFlight(async (key: string): Promise<void> => {
    const activation = await license.activate(key);
    fault = activation.outcome === 'activated' ? null : activation;
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const show = (status: number, shown: FirstRunView) =>
      send(response, status, renderFirstRun(shown, request.headers['accept-language'] ?? ''));
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (!isOwnHost(request)) return send(response, 421, '');
    const shownToken = searchParams.get('token');
    if (request.method === 'GET' && pathname === firstRunPath.page && shownToken !== null) {
      if (isTokenUsed || !isToken(shownToken, tokenHash)) return show(403, { kind: 'gone' });
      isTokenUsed = true;
      response.setHeader('Set-Cookie', `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`);
      return redirect(response);
    }
    if (!isToken(cookieOf(request), sessionHash)) return show(403, { kind: 'gone' });
    if (request.method === 'GET' && pathname === firstRunPath.page) return show(200, await view());
    if (request.method !== 'POST' || pathname !== firstRunPath.license) return send(response, 404, '');
    if (!isOwnPage(request)) return send(response, 403, '');
    const body = await readBody(request);
    if (body === null) return send(response, 413, '');
    await activate(new URLSearchParams(body).get('key') ?? '');
    return redirect(response);
  };

  const server = createServer({ maxHeaderSize: mostHeaderBytes }, (request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) send(response, 500, '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const expiry = setTimeout(() => ended.resolve('expired'), lastsMs);
  const watch = setInterval(() => {
    void ownerLink().then((link) => {
      if (link === null && hadLink) ended.resolve('done');
      hadLink ||= link !== null;
    });
  }, ownerPollMs);
  for (const timer of [expiry, watch]) timer.unref();
  const close = ended.promise.then(async () => {
    clearTimeout(expiry);
    clearInterval(watch);
    server.close();
    server.closeAllConnections();
  });
  return {
    link: `http://127.0.0.1:${port}${firstRunPath.page}?token=${token}`,
    ended: ended.promise,
    async [Symbol.asyncDispose]() {
      ended.resolve('disposed');
      await close;
    },
  };
};

const send = (response: ServerResponse, status: number, html: string): void => {
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': firstRunPolicy,
      // The address may hold the token.
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(html);
};

const redirect = (response: ServerResponse): void => {
  response.setHeader('Location', firstRunPath.page);
  send(response, 303, '');
};

/** Other names could lead here, too: a page of a stranger could then ask in this page's name. */
const isOwnHost = ({ headers }: IncomingMessage): boolean =>
  /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(headers.host ?? '');

/** Only this page itself sends the form; browsers say from where it comes. */
const isOwnPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin === `http://${headers.host}` &&
  (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';

const cookieOf = ({ headers }: IncomingMessage): string =>
  (headers.cookie ?? '')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1) ?? '';

/** Null: it is too long. */
const readBody = async (request: IncomingMessage): Promise<string | null> => {
  let text = '';
  for await (const bytes of request.setEncoding('utf8')) {
    text += bytes;
    if (text.length > mostBytes) return null;
  }
  return text;
};
