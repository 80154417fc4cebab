import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Quirks } from './quirks.ts';
import { openWire, type Wire } from './wire.ts';

export interface ListenerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly quirks: Quirks;
  readonly serve: (socket: Socket, wire: Wire) => void;
}

export interface Listener extends AsyncDisposable {
  readonly port: number;
  /** Connections that are open now. */
  readonly sessions: number;
  /** Connections that were ever accepted. */
  readonly accepted: number;
  dropSessions(): void;
  /** Drops the sessions and refuses connections, as when the game is not running. */
  goOffline(): Promise<void>;
  /** Listens again, on the same port. */
  comeBack(): Promise<void>;
}

export const openListener = async ({ host, port, quirks, serve }: ListenerOptions): Promise<Listener> => {
  const sockets = new Set<Socket>();
  let accepted = 0;

  const accept = (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A client that disconnects is not an error of the game; 'close' follows.
    socket.on('error', () => undefined);
    if (quirks.accept === 'close') socket.destroy();
    else if (quirks.accept === 'silence') socket.resume();
    else serve(socket, openWire(socket, quirks));
  };
  const dropSessions = () => {
    for (const socket of sockets) socket.destroy();
  };

  let server = await listen(host, port, accept);
  const { port: chosen } = server.address() as AddressInfo;
  const goOffline = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    dropSessions();
    await closed;
  };

  return {
    port: chosen,
    get sessions() {
      return sockets.size;
    },
    get accepted() {
      return accepted;
    },
    dropSessions,
    goOffline,
    async comeBack() {
      if (!server.listening) server = await listen(host, chosen, accept);
    },
    [Symbol.asyncDispose]: goOffline,
  };
};

const listen = async (host: string, port: number, accept: (socket: Socket) => void): Promise<Server> => {
  const server = createServer(accept);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
};
