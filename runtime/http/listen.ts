import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Log } from '../log.ts';
import { StartupError } from '../program.ts';
import { type ConnectionLimits, limitConnections, usualLimits } from './connection-limits.ts';
import { type IdleTiming, keepIdleConnections, usualIdle } from './idle-connections.ts';
import { readHeaderBytes, refuseLargeHeaders } from './large-headers.ts';
import { answerFaults, type Refusal } from './request-faults.ts';

export interface Listener extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
}

interface ListenTiming {
  /** From the beginning of a connection or request to the end of its headers. */
  readonly headersMs: number;
  /** To the end of its body. */
  readonly requestMs: number;
  /** How often connections are checked: a time-out may be late by this much. */
  readonly checkMs: number;
  /** How long a connection may wait for its next request. */
  readonly idle?: IdleTiming;
}

const usualTiming: ListenTiming = { headersMs: 10_000, requestMs: 30_000, checkMs: 1000 };

/** Anything else that asks for an upgrade (curl offers h2c with every GET) is an ordinary request. */
const isWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket';

/** How soon a connection closes whose last request was answered while the server was closing. */
const sweepMs = 100;

/**
 * Listens until disposed; then accepts no new connection, lets requests in flight finish, and cuts the rest.
 * @throws {StartupError} when the port is taken or we may not use it
 */
export const listen = async ({
  handler,
  host,
  port,
  refusal = () => null,
  isTrustedProxy = () => false,
  limits = usualLimits,
  timing = usualTiming,
  drainMs = 4000,
  log,
}: {
  readonly handler: RequestListener;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Precedes every answer that does not come from the handler. */
  readonly refusal?: Refusal;
  /** Proxies, which carry many clients; none when absent. */
  readonly isTrustedProxy?: (address: string) => boolean;
  readonly limits?: ConnectionLimits;
  readonly timing?: ListenTiming;
  /** How long requests in flight may still take when the server closes. */
  readonly drainMs?: number;
  readonly log?: Log;
}): Promise<Listener> => {
  const server: Server = createServer(
    // A request without a Host reaches the handler too, so that all refusals happen in one place.
    {
      requestTimeout: timing.requestMs,
      headersTimeout: timing.headersMs,
      connectionsCheckingInterval: timing.checkMs,
      maxHeaderSize: readHeaderBytes,
      requireHostHeader: false,
      shouldUpgradeCallback(request) {
        const isUpgraded = server.listenerCount('upgrade') > 0 && isWebSocket(request);
        if (isUpgraded) idle.leave(request.socket);
        return isUpgraded;
      },
    },
    refuseLargeHeaders(handler, refusal),
  );
  let closing = false;
  // Otherwise a busy client would keep sending requests down the same connection for as long as we allow.
  server.prependListener('request', (_request, response) => {
    if (closing) response.setHeader('Connection', 'close');
  });
  answerFaults(server, refusal);
  limitConnections(server, limits, isTrustedProxy, log);
  const idle = keepIdleConnections(server, limits, isTrustedProxy, timing.idle ?? usualIdle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)));
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      closing = true;
      // HTTP's own close would immediately cut a connection whose first request is still on its way.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
      const cut = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
      // Ends the timer that HTTP keeps for its connections.
      server.close();
    },
  };
};

const listenFailure = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  if (error.code === 'EADDRINUSE')
    return new StartupError(`Port ${port} on ${host} is taken.`, { cause: error });
  if (error.code === 'EACCES')
    return new StartupError(`Port ${port} on ${host} may not be used.`, { cause: error });
  if (error.code === 'EADDRNOTAVAIL')
    return new StartupError(`${host} is not an address of this machine.`, { cause: error });
  return error;
};
