import * as http from 'node:http';
import * as https from 'node:https';
import { Readable } from 'node:stream';
import { isLoopback } from '../../http/this-machine.ts';
import type { Secret } from '../../secret.ts';

export interface ProxiedInit {
  readonly method: string;
  readonly body?: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** The signal's own time-out, in milliseconds. */
  readonly timeoutMs: number;
}

/** Statuses whose answers must not have a body, or `Response` throws. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** A tunnel that is being opened ignores the signal; its socket is left to end alone. */
const tunnelSlackMs = 1000;

/** An http request would show everything, license included, to the proxy. */
export class ShownToProxyError extends Error {
  override readonly name = 'ShownToProxyError';
}

/** Requests to a portal on this machine cross no network. */
export const isOfThisMachine = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''));

/**
 * Like `fetch`, through a proxy: https in a tunnel, so that the proxy sees no more than the portal's name. Redirects are not
 * followed.
 * @param proxy such as http://name:password@proxy.example:8080
 * @throws what `node:http` throws; its message must not be shown, since it may hold the proxy's password. An abort throws the
 * signal's reason; http throws {ShownToProxyError}, unless it leads to this machine
 */
export const fetchThrough = (
  proxy: Secret,
  url: URL,
  { method, body, headers, signal, timeoutMs }: ProxiedInit,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    if (url.protocol !== 'https:' && !isOfThisMachine(url)) throw new ShownToProxyError();
    const way = proxy.reveal();
    const proxyEnv = { HTTP_PROXY: way, HTTPS_PROXY: way };
    const { request, Agent } = url.protocol === 'https:' ? https : http;
    const timeout = timeoutMs + tunnelSlackMs;
    const asked = request(url, { method, headers, timeout, agent: new Agent({ proxyEnv }) });
    let answer: http.IncomingMessage | null = null;
    const abort = () => {
      (answer ?? asked).destroy(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    asked.on('error', reject);
    asked.on('response', (received) => {
      answer = received;
      try {
        resolve(toResponse(received));
      } catch (error) {
        received.destroy();
        reject(error);
      }
    });
    asked.end(body ?? undefined);
  });

/** @throws {RangeError} for a status that `Response` does not know */
const toResponse = (answer: http.IncomingMessage): Response => {
  const status = answer.statusCode ?? 0;
  const headers = Object.entries(answer.headers).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  if (!bodiless.has(status))
    return new Response(Readable.toWeb(answer) as ReadableStream, { status, headers });
  answer.on('error', () => undefined).resume();
  return new Response(null, { status, headers });
};
