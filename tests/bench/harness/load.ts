import { connect, type Socket } from 'node:net';
import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** How many answers carried each status. */
  readonly statuses: Readonly<Record<string, number>>;
}

const microsecondsPerMs = 1000;

/** Sends a bounded number of requests to loopback, as fast as the answers arrive, and returns how long each took. */
export const runLoad = async ({
  port,
  connections,
  requests,
  perSecond = Number.POSITIVE_INFINITY,
  request,
}: {
  readonly port: number;
  /** Connections kept open, one request in flight on each. */
  readonly connections: number;
  readonly requests: number;
  /** A limit of the rate; without it, as fast as the answers arrive. */
  readonly perSecond?: number;
  /** The whole HTTP/1.1 request number `index`, as bytes. */
  readonly request: (index: number) => string;
}): Promise<LoadResult> => {
  const histogram = createHistogram();
  const statuses: Record<string, number> = {};
  let sent = 0;
  const began = performance.now();

  const drive = async () => {
    await using exchange = await openExchange(port);
    while (sent < requests) {
      const dueMs = began + (sent * 1000) / perSecond - performance.now();
      const text = request(sent++);
      if (dueMs > 0) await delay(dueMs);
      const start = performance.now();
      const status = await exchange.send(text);
      histogram.record(Math.max(1, Math.round((performance.now() - start) * microsecondsPerMs)));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, drive));

  const seconds = (performance.now() - began) / 1000;
  return {
    requests,
    perSecond: requests / seconds,
    p50Ms: histogram.percentile(50) / microsecondsPerMs,
    p99Ms: histogram.percentile(99) / microsecondsPerMs,
    maxMs: histogram.max / microsecondsPerMs,
    statuses,
  };
};

interface Exchange extends AsyncDisposable {
  /** Resolves with the status of the answer, once it is whole. */
  send(text: string): Promise<string>;
}

/** A minimal HTTP client, so that the figures are the server's: it reads one answer with Content-Length at a time. */
const openExchange = async (port: number): Promise<Exchange> => {
  const socket = await connected(port);
  let buffered = '';
  let waiting: PromiseWithResolvers<string> | null = null;

  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    buffered += chunk;
    const end = buffered.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, end))?.[1] ?? 0);
    if (buffered.length < end + 4 + length) return;
    const status = buffered.slice(9, 12);
    buffered = buffered.slice(end + 4 + length);
    waiting?.resolve(status);
  });
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));
  socket.on('error', (error) => waiting?.reject(error));

  return {
    send(text) {
      waiting = Promise.withResolvers<string>();
      socket.write(text);
      return waiting.promise;
    },
    async [Symbol.asyncDispose]() {
      waiting = null;
      socket.destroy();
    },
  };
};

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });

/** A POST with a JSON body, as bytes on the wire. */
export const postRequest = (
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): string => {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    Host: 'localhost',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
};
