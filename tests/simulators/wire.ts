import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Quirks } from './quirks.ts';

const longestRandomPiece = 200;

/** One accepted connection. Nothing here rejects: on a closed connection, sending and waiting end immediately. */
export interface Wire {
  readonly closed: boolean;
  /** Sends after all earlier data; settles when the system has accepted it. */
  send(bytes: Buffer): Promise<void>;
  wait(ms: number): Promise<void>;
  /** Ends the connection after all sent data. */
  end(): void;
  destroy(): void;
}

export const openWire = (socket: Socket, quirks: Quirks): Wire => {
  const closing = new AbortController();
  let queue = Promise.resolve();
  socket.setNoDelay(true);
  socket.once('close', () => closing.abort());

  const write = (piece: Buffer) =>
    new Promise<void>((resolve) => {
      socket.write(piece, () => resolve());
    });
  const sendPieces = async (bytes: Buffer) => {
    for (const piece of cut(bytes, quirks.fragmentation)) {
      if (closing.signal.aborted) return;
      await write(piece);
      // Without a turn in between, the system would merge the pieces.
      if (piece.length < bytes.length) await nextTurn();
    }
  };

  return {
    get closed() {
      return closing.signal.aborted;
    },
    send(bytes) {
      queue = queue.then(() => sendPieces(bytes));
      return queue;
    },
    async wait(ms) {
      if (ms > 0) await delay(ms, undefined, { signal: closing.signal }).catch(() => undefined);
    },
    end() {
      queue = queue.then(() => {
        socket.end();
      });
    },
    destroy: () => {
      socket.destroy();
      closing.abort();
    },
  };
};

const cut = function* (bytes: Buffer, fragmentation: Quirks['fragmentation']): Generator<Buffer> {
  if (fragmentation === 'none') return yield bytes;
  for (let start = 0; start < bytes.length; ) {
    const length = fragmentation === 'bytes' ? 1 : randomInt(1, longestRandomPiece);
    yield bytes.subarray(start, start + length);
    start += length;
  }
};
