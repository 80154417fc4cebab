import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { StartupError } from '../program.ts';

export interface Listener extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
}

export interface ListenOptions {
  readonly handler: RequestListener;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The raw answer to what HTTP's own parser cannot read; a bare 400 when absent. */
  readonly answerUnreadable?: () => string;
  /** How long requests in flight may still take once we close. */
  readonly drainMs?: number;
}

const bareBadRequest = () => 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Anything else that asks for an upgrade (curl offers h2c with every GET) is an ordinary request. */
const isWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === 'websocket';

const requestTimeoutMs = 30_000;
const headersTimeoutMs = 10_000;
/** How soon a connection is closed whose last request was answered while we were closing. */
const sweepMs = 100;

/**
 * Listens until disposed; then takes no new connection, lets requests in flight finish, and cuts what is left.
 * @throws {StartupError} when the port is taken or not ours to take
 */
export const listen = async ({
  handler,
  host,
  port,
  answerUnreadable = bareBadRequest,
  drainMs = 4000,
}: ListenOptions): Promise<Listener> => {
  const server: Server = createServer(
    // A request without a Host reaches the handler too: whatever is refused is refused in one place.
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: headersTimeoutMs,
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => server.listenerCount('upgrade') > 0 && isWebSocket(request),
    },
    handler,
  );
  let closing = false;
  // A busy client would otherwise send its next request down the same connection for as long as we let it.
  server.prependListener('request', (_request, response) => {
    if (closing) response.setHeader('Connection', 'close');
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end(answerUnreadable());
    else socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, host, port)));
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      closing = true;
      // HTTP's own close would at once cut a connection whose first request is still on its way.
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
