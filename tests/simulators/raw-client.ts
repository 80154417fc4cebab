import { once } from 'node:events';
import { connect } from 'node:net';

/** A client without any protocol: bytes out, bytes in. */
export interface RawClient extends Disposable {
  readonly received: Buffer;
  /** Settles when the connection has ended, for any reason. */
  readonly closed: Promise<void>;
  /** Sends in one segment, unless the data is too long for one; settles when the system has accepted it. */
  send(bytes: Buffer | string): Promise<void>;
  /** Resolves with the first non-null result of `find` on all received bytes; rejects if the connection ends before. */
  until<T>(find: (received: Buffer) => T | null): Promise<T>;
  /** Forgets the received bytes. */
  forget(): void;
}

export const openRawClient = async (port: number): Promise<RawClient> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = Buffer.alloc(0);
  let isClosed = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset is one of the ways to end.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      resolve();
      wake();
    });
  });
  await once(socket, 'connect');

  return {
    get received() {
      return received;
    },
    closed,
    send: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    until: (find) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = find(received);
          if (found === null && !isClosed) return waiting.add(look);
          waiting.delete(look);
          if (found === null)
            return reject(new Error(`the connection ended after ${JSON.stringify(String(received))}`));
          return resolve(found);
        };
        look();
      }),
    forget() {
      received = Buffer.alloc(0);
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
};
