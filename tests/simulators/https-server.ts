import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { CertificateDates, PrivateAuthority } from '#harness/private-authority.ts';

export interface HttpsServer extends AsyncDisposable {
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
}

export interface HttpsServerOptions {
  readonly authority: PrivateAuthority;
  readonly answer: RequestListener;
  /** Of requests for another protocol, such as a WebSocket's; default: they are answered like others. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex) => void;
  /** Names of its certificate; the first is the one of `url`. Default: localhost and 127.0.0.1. */
  readonly hosts?: readonly [string, ...string[]];
  readonly dates?: CertificateDates;
}

/** An https server on 127.0.0.1 whose certificate is a private authority's. */
export const startHttpsServer = async ({
  authority,
  answer,
  upgrade,
  hosts = ['localhost', '127.0.0.1'],
  dates,
}: HttpsServerOptions): Promise<HttpsServer> => {
  const server = createServer(authority.issue(hosts, dates), answer);
  if (upgrade) server.on('upgrade', upgrade);
  // A client that rejects the certificate ends the connection.
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://${hosts[0]}:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** Lets a server of plain http on this machine, WebSockets included, be reached by https. */
export const startTlsFront = async (
  authority: PrivateAuthority,
  port: number,
  hosts: readonly [string, ...string[]] = ['localhost'],
): Promise<HttpsServer> => {
  const sockets = new Set<Duplex>();
  const follow = (socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createTlsServer(authority.issue(hosts), (socket) => {
    const inner = connect({ host: '127.0.0.1', port });
    follow(socket);
    follow(inner);
    socket.on('close', () => inner.destroy());
    inner.on('close', () => socket.destroy());
    socket.pipe(inner).pipe(socket);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    url: `https://${hosts[0]}:${own}`,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
