import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Secret } from '#runtime/secret.ts';
import type { ConsoleTarget } from '../../connection.ts';

/** Listens where a game's console should. */
export interface RawPeer extends AsyncDisposable {
  readonly port: number;
  /** All that have ever connected. */
  readonly sockets: readonly Socket[];
  target(password?: string): ConsoleTarget;
}

export const startRawPeer = async (onConnection: (socket: Socket) => void): Promise<RawPeer> => {
  const sockets: Socket[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.push(socket);
    // Many tests are about a client that disconnects in the middle.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    sockets,
    target: (password = 'correct horse') => ({ host: '127.0.0.1', port, password: new Secret(password) }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
};

/** Writes pieces to the network one by one, so that each arrives separately as far as the system allows. */
export const writePieces = async (socket: Socket, pieces: readonly Buffer[]): Promise<void> => {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
};
