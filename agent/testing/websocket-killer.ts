import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A device on the network path that lets plain HTTP through and disrupts WebSockets. */
export interface WebSocketKiller extends AsyncDisposable {
  readonly url: URL;
  /** `cut`: the upgrade goes through, and the connection is cut with the first bytes after it. */
  mode: 'pass' | 'drop' | 'refuse' | 'cut';
  readonly upgrades: number;
  /** Cuts all current connections. */
  cut(): void;
}

export const startWebSocketKiller = async (port: number): Promise<WebSocketKiller> => {
  const sockets = new Set<Socket>();
  let upgrades = 0;
  const killer: { mode: WebSocketKiller['mode'] } = { mode: 'pass' };

  const handle = (client: Socket) => {
    const upstream = connect(port, '127.0.0.1');
    let isUpgraded = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      if (isUpgraded && killer.mode === 'cut') return client.destroy();
      if (/^upgrade: websocket/im.test(bytes.toString('latin1'))) {
        isUpgraded = true;
        upgrades += 1;
        if (killer.mode === 'drop') return client.destroy();
        if (killer.mode === 'refuse')
          return client.end('HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      }
      return upstream.write(bytes);
    });
    upstream.on('data', (bytes) => client.write(bytes));
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    url: new URL(`http://127.0.0.1:${own}`),
    get mode() {
      return killer.mode;
    },
    set mode(mode) {
      killer.mode = mode;
    },
    get upgrades() {
      return upgrades;
    },
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
};
