import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import * as https from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { IssuedCertificate } from './private-authority.ts';

/** Closes a server of `node:net` with all its connections. */
const closing = async (server: Server, sockets: ReadonlySet<Socket>): Promise<void> => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
};

export interface TestProxy extends AsyncDisposable {
  readonly port: number;
  /** The heads of the requests that came. */
  readonly heads: readonly string[];
  readonly sockets: ReadonlySet<Socket>;
}

/**
 * A proxy on loopback, down to its bytes.
 * @param answer what it says to a request's head; a port connects the client with it, null says nothing
 */
export const openTestProxy = async (
  answer: (head: string) => string | number | null | 'reset',
  { address = '127.0.0.1' }: { readonly address?: string } = {},
): Promise<TestProxy> => {
  const sockets = new Set<Socket>();
  const heads: string[] = [];
  const follow = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  };
  const server = createServer((socket) => {
    follow(socket);
    let head = '';
    const read = (bytes: Buffer) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      heads.push(head);
      const said = answer(head);
      if (said === 'reset') socket.resetAndDestroy();
      else if (typeof said === 'string') socket.write(said);
      else if (said !== null) {
        const inner = connect(said, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          socket.pipe(inner).pipe(socket);
        });
        follow(inner);
        socket.on('close', () => inner.destroy());
        inner.on('close', () => socket.destroy());
      }
    };
    socket.on('data', read);
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, heads, sockets, [Symbol.asyncDispose]: () => closing(server, sockets) };
};

export interface TlsSite extends AsyncDisposable {
  readonly port: number;
}

/** An https server on loopback with a certificate, and those that it sends beside. */
export const openTlsSite = async (
  { cert, key }: IssuedCertificate,
  beside: readonly IssuedCertificate[] = [],
  listen: RequestListener = (_request, response) => void response.end('{"ok":true}'),
): Promise<TlsSite> => {
  const server = https.createServer(
    { cert: [cert, ...beside.map((one) => one.cert)].join('\n'), key },
    listen,
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
