import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { certificatePin } from '#runtime/certificate-pin.ts';
import { outside } from '#runtime/outside/outside.ts';

/** Used in place of an error's code. */
export const pinMismatch = 'CERTIFICATE_KEY_UNKNOWN';

type OnConnected = (error: Error | null, socket: Duplex) => void;

/**
 * Connects over TLS to an API whose certificate the usual authorities vouch for, or whose key is pinned; a pinned one needs no
 * name and no dates. Nothing is written before this is verified.
 */
export const connectTrusted =
  (pins: readonly string[]) =>
  (options: object, onConnected: OnConnected): undefined => {
    const { host = '', servername = isIP(host) ? '' : host }: ConnectionOptions = options;
    // Here `path` is that of the request, and would be used as a socket's path.
    const socket = connect({ ...options, path: undefined, servername, rejectUnauthorized: false });
    const fail = (error: Error) => {
      socket.destroy();
      onConnected(error, socket);
    };
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.off('error', fail);
      const fault = distrustOf(socket, pins);
      if (fault) fail(fault);
      else onConnected(null, socket);
    });
  };

const distrustOf = (socket: TLSSocket, pins: readonly string[]): Error | null => {
  if (socket.authorized) return null;
  const certificate = socket.getPeerX509Certificate();
  if (certificate && pins.includes(certificatePin(certificate))) return null;
  const fault: unknown = socket.authorizationError;
  const told = fault instanceof Error ? ((fault as NodeJS.ErrnoException).code ?? fault.message) : fault;
  const code = pins.length > 0 ? pinMismatch : String(told ?? 'CERTIFICATE_UNKNOWN');
  return Object.assign(new Error(`The certificate is not trusted: ${code}`), { code });
};

class TrustingAgent extends https.Agent {
  readonly #connect: ReturnType<typeof connectTrusted>;

  constructor(pins: readonly string[]) {
    super({ keepAlive: true });
    this.#connect = connectTrusted(pins);
  }

  override createConnection(options: object, onConnected?: OnConnected): undefined {
    return this.#connect(options, onConnected ?? (() => undefined));
  }
}

const plain = new http.Agent({ keepAlive: true });
/** One per set of pins: connections are kept for the next request. */
const trusting = new Map<string, https.Agent>();

/** The proxy to an API outside this network; one whose key is pinned is asked directly. Also loads what is trusted. */
export const tunnelTo = (url: URL, pins: readonly string[]): https.Agent | undefined => {
  const agent = outside().agentFor(url);
  return pins.length === 0 ? agent : undefined;
};

const agentFor = (url: URL, pins: readonly string[]): http.Agent => {
  if (url.protocol === 'http:') return plain;
  const tunnel = tunnelTo(url, pins);
  if (tunnel) return tunnel;
  const key = pins.join();
  const agent = trusting.get(key) ?? new TrustingAgent(pins);
  trusting.set(key, agent);
  return agent;
};

/** Sends a request, and follows no redirect. The caller must read the answer, or destroy it. @throws whatever prevents an answer */
export const requestApi = async (
  url: URL,
  {
    method,
    headers,
    body,
    pins,
    signal,
  }: {
    readonly method: 'GET' | 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Buffer;
    readonly pins: readonly string[];
    readonly signal: AbortSignal;
  },
): Promise<http.IncomingMessage> => {
  const { request } = url.protocol === 'http:' ? http : https;
  const asking = request(url, { method, headers, signal, agent: agentFor(url, pins) });
  const answered = once(asking, 'response') as Promise<[http.IncomingMessage]>;
  asking.end(body);
  const [answer] = await answered;
  // Errors after the answer are reported by its stream.
  asking.on('error', () => undefined);
  return answer;
};
