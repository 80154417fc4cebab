import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Secret } from '#runtime/secret.ts';

/**
 * What happens to bytes for the database, and to all later bytes on any connection.
 * - `pass`: they pass
 * - `hold`: they do not arrive
 * - `hold-answer`: they arrive and are executed, but their answer does not come back
 */
export type Passage = 'pass' | 'hold' | 'hold-answer';

/** A connection to a database that can be cut between two statements. */
export interface HeldDatabase extends AsyncDisposable {
  readonly url: Secret;
  /**
   * `passage` is called for each write of a client. After `hold` and `hold-answer` nothing passes until the next `watch`.
   * @param text the bytes as text: SQL and its values
   */
  watch(passage: (text: string, connection: object) => Passage, onHeld: () => void): void;
  /** Lets everything pass. */
  open(): void;
}

export const openHeldDatabase = async (to: Secret): Promise<HeldDatabase> => {
  const upstreamUrl = new URL(to.reveal());
  const sockets = new Set<Socket>();
  let passageOf: (text: string, connection: object) => Passage = () => 'pass';
  let onHeld = (): void => undefined;
  let isHeld = false;
  const held = () => {
    isHeld = true;
    onHeld();
  };

  const server = createServer((client) => {
    const upstream = connect(Number(upstreamUrl.port), upstreamUrl.hostname);
    let awaitsAnswer = false;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // A killed process resets its connections.
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (isHeld || awaitsAnswer) return;
      const passage = passageOf(bytes.toString('latin1'), client);
      if (passage === 'hold') return held();
      awaitsAnswer = passage === 'hold-answer';
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (awaitsAnswer) return held();
      if (!isHeld) client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(upstreamUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: new Secret(url.toString()),
    watch(passage, then) {
      isHeld = false;
      passageOf = passage;
      onHeld = then;
    },
    open() {
      isHeld = false;
      passageOf = () => 'pass';
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};
