import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';
import { outsideReasons } from '#contracts/kernel/outside-reasons.ts';
import { type ProxyAddress, shownProxy } from './proxy-address.ts';

type ProxyReason = Extract<keyof typeof outsideReasons, `proxy-${string}`>;

/** A proxy that stands in the way. Neither its message nor its fields hold the proxy's password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly reason: ProxyReason;
  /** For those who show codes. */
  readonly code: string;
  /** Whether there was a connection to the proxy: false of all that is asked through it. */
  isReached = true;

  constructor(reason: ProxyReason, ...values: readonly (string | number)[]) {
    super((outsideReasons[reason] as (...values: readonly (string | number)[]) => string)(...values));
    this.reason = reason;
    this.code = reason.toUpperCase().replaceAll('-', '_');
  }
}

/** Shorter than any deadline of those who ask: then they learn that it was the proxy. */
const tunnelMs = 9000;

/** For the connection to the proxy itself: those who ask still have time for a way without it. */
const connectMs = 4000;
/** For all of a connection through an optional proxy, up to the certificate of what is behind it, likewise. */
const optionalMs = 6000;
/** How long an optional proxy that is not there, or keeps silent, is passed by: the next connections need not wait for it. */
const passByMs = 60_000;

/** RFC 9110, 11.6.1: several challenges may share a header; a scheme is a word that no `=` follows. */
const schemesOf = (challenges: string): readonly string[] => [
  ...new Set(
    [
      ...challenges
        .replace(/"(?:[^"\\]|\\.)*"/g, '""')
        .matchAll(/(?:^|,)\s*([\w-]+)(?=\s+[^=\s]|\s*(?:,|$))/g),
    ].map(([, scheme = '']) => scheme),
  ),
];

const refusalOf = (
  { statusCode: status = 0, headers }: http.IncomingMessage,
  proxy: ProxyAddress,
  host: string,
): ProxyError => {
  const shown = shownProxy(proxy);
  if (status !== 407) return new ProxyError('proxy-forbids', shown, host, status);
  const schemes = schemesOf([headers['proxy-authenticate'] ?? []].flat().join(', '));
  if (schemes.length > 0 && !schemes.some((scheme) => /^basic$/i.test(scheme)))
    return new ProxyError('proxy-sign-in-unsupported', shown, schemes.slice(0, 5).join(', ').slice(0, 60));
  return new ProxyError(proxy.user === '' ? 'proxy-sign-in' : 'proxy-sign-in-refused', shown);
};

const unreachedFault = (code: string, shown: string): ProxyError => {
  const isUnknown = code === 'ENOTFOUND' || code.startsWith('EAI_');
  const error = isUnknown
    ? new ProxyError('proxy-unknown', shown)
    : new ProxyError('proxy-away', shown, code);
  error.isReached = false;
  return error;
};

const faultOf = (
  error: NodeJS.ErrnoException,
  proxy: ProxyAddress,
  host: string,
  isReached: boolean,
): ProxyError => {
  const shown = shownProxy(proxy);
  const { code = error.name } = error;
  if (!isReached) return unreachedFault(code, shown);
  if (code === 'PROXY_SILENT') return new ProxyError('proxy-silent', shown, host);
  if (code.startsWith('HPE_')) return new ProxyError('proxy-odd', shown, code);
  return new ProxyError('proxy-away', shown, code);
};

interface Tunnel {
  readonly socket: Duplex;
  /** The proxy said yes, and a web page follows: what speaks TLS next fails. */
  readonly isPage: boolean;
}

/**
 * Has a proxy open a connection to a host (CONNECT); the proxy sees its name and nothing of what is said.
 * @throws {ProxyError}
 */
export const openTunnel = (
  proxy: ProxyAddress,
  { host, port }: { readonly host: string; readonly port: number },
  signal?: AbortSignal,
): Promise<Tunnel> =>
  new Promise((resolve, reject) => {
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    const { request } = proxy.isEncrypted ? https : http;
    const { user, password } = proxy;
    const credentials = Buffer.from(`${user}:${password.reveal()}`).toString('base64');
    const asking = request({
      method: 'CONNECT',
      host: proxy.host,
      port: proxy.port,
      path: authority,
      agent: false,
      headers: {
        Host: authority,
        ...(user === '' ? {} : { 'Proxy-Authorization': `Basic ${credentials}` }),
      },
      ...(signal ? { signal } : {}),
    });
    const late = setTimeout(
      () => asking.destroy(Object.assign(new Error('silent'), { code: 'PROXY_SILENT' })),
      tunnelMs,
    );
    const unreached = setTimeout(
      () => asking.destroy(Object.assign(new Error('unreached'), { code: 'ETIMEDOUT' })),
      connectMs,
    );
    let isReached = false;
    asking.once('socket', (socket) =>
      socket.once('connect', () => {
        isReached = true;
        clearTimeout(unreached);
      }),
    );
    asking.once('close', () => clearTimeout(unreached));
    asking.once('error', (error) => {
      clearTimeout(late);
      reject(signal?.aborted ? signal.reason : faultOf(error, proxy, host, isReached));
    });
    asking.once('connect', (answer: http.IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(late);
      const { statusCode = 0, headers } = answer;
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        reject(refusalOf(answer, proxy, host));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      const isPage =
        /^text\/html/i.test(headers['content-type'] ?? '') || /^\s*</.test(head.toString('latin1'));
      resolve({ socket, isPage });
    });
    asking.end();
  });

type OnConnected = (error: Error | null, socket: Duplex) => void;

interface Target extends tls.ConnectionOptions {
  readonly host?: string;
  readonly signal?: AbortSignal;
}

type Secure = Omit<Target, 'path'> & {
  readonly path: undefined;
  readonly host: string;
  readonly port: number;
};

/** In place of a host: all of them. */
const everywhere = '';

interface OptionalProxy {
  /** Called with what the proxy did instead. */
  readonly onPassedOver?: (error: unknown) => void;
  /** How long it has for a connection, up to the certificate of what is behind it. */
  readonly waitMs?: number;
}

/**
 * Speaks TLS through a proxy. Where an optional one does not lead to what is asked, the connection is made without it: it is not
 * there, refuses, keeps silent, answers something else, or shows a certificate that is not trusted.
 */
export class TunnelAgent extends https.Agent {
  readonly #proxy: ProxyAddress;
  readonly #optional: OptionalProxy | null;
  /** Until when an optional proxy is not asked for a host, on the monotonic clock. */
  readonly #passedByUntilMs = new Map<string, number>();
  #isRetired = false;

  /** @param optional null: without the proxy there is no connection */
  constructor(proxy: ProxyAddress, optional: OptionalProxy | null) {
    super({ keepAlive: true });
    this.#proxy = proxy;
    this.#optional = optional;
  }

  /** Another way has taken its place: what is being asked ends as it would, and no connection is kept for more. */
  retire(): void {
    this.#isRetired = true;
    for (const sockets of Object.values(this.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }

  // Node destroys what it is told not to keep, which its type does not say.
  override keepSocketAlive(socket: Duplex): boolean {
    const isKept: unknown = super.keepSocketAlive(socket);
    return isKept !== false && !this.#isRetired;
  }

  override createConnection(options: object, onConnected: OnConnected = () => undefined): undefined {
    void this.#connect(options).then(
      (socket) => onConnected(null, socket),
      // Without a socket, which its type demands.
      onConnected as (error: Error) => void,
    );
  }

  async #connect(options: Target): Promise<Duplex> {
    const { host = 'localhost', signal } = options;
    const servername = options.servername ?? (isIP(host) === 0 ? host : '');
    // `path` is that of the request, and would be used as a socket's path.
    const secure: Secure = {
      ...options,
      path: undefined,
      servername,
      host,
      port: Number(options.port ?? 443),
    };
    return this.#optional
      ? this.#connectAnyway(secure, this.#optional, signal)
      : this.#connectThrough(secure, signal);
  }

  async #connectThrough(secure: Secure, signal?: AbortSignal): Promise<tls.TLSSocket> {
    const tunnel = await openTunnel(this.#proxy, secure, signal);
    const socket = tls.connect({ ...secure, socket: tunnel.socket as Socket } as tls.ConnectionOptions);
    if (tunnel.isPage)
      socket.prependOnceListener('error', (error) => {
        Object.assign(error, { cause: new ProxyError('proxy-page', shownProxy(this.#proxy), secure.host) });
      });
    return socket;
  }

  async #connectAnyway(
    secure: Secure,
    { onPassedOver, waitMs = optionalMs }: OptionalProxy,
    signal?: AbortSignal,
  ): Promise<tls.TLSSocket> {
    const { host } = secure;
    const connectDirectly = () => tls.connect(secure as tls.ConnectionOptions);
    if ([everywhere, host].some((one) => performance.now() < (this.#passedByUntilMs.get(one) ?? 0)))
      return connectDirectly();
    const late = AbortSignal.timeout(waitMs);
    try {
      return await this.#connectProven(secure, signal ? AbortSignal.any([signal, late]) : late);
    } catch (error) {
      signal?.throwIfAborted();
      const isAway = error instanceof ProxyError && !error.isReached;
      if (isAway || late.aborted)
        this.#passedByUntilMs.set(isAway ? everywhere : host, performance.now() + passByMs);
      onPassedOver?.(late.aborted ? new ProxyError('proxy-silent', shownProxy(this.#proxy), host) : error);
      return connectDirectly();
    }
  }

  /** Resolves when what is asked has shown its certificate: only then does the proxy lead there. */
  async #connectProven(secure: Secure, signal: AbortSignal): Promise<tls.TLSSocket> {
    const socket = await this.#connectThrough(secure, signal);
    try {
      await once(socket, 'secureConnect', { signal });
      return socket;
    } catch (error) {
      socket.on('error', () => undefined).destroy();
      throw error;
    }
  }
}
