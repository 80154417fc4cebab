import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Problem } from '../problem.ts';
import { type Listener, listen } from './listen.ts';

const timing = { headersMs: 300, requestMs: 600, checkMs: 20 };

let owned: AsyncDisposableStack;
beforeEach(() => {
  owned = new AsyncDisposableStack();
});
afterEach(() => owned.disposeAsync());

const readsBody: RequestListener = async (request, response) => {
  const body = await text(request).catch(() => null);
  response.end(`body of ${body?.length}`);
};
const start = async (options: Partial<Parameters<typeof listen>[0]> = {}): Promise<Listener> =>
  owned.use(await listen({ handler: readsBody, host: '127.0.0.1', port: 0, timing, ...options }));

const open = ({ port }: Listener): Socket => {
  const socket = connect({ port, host: '127.0.0.1' });
  owned.defer(() => void socket.destroy());
  return socket;
};
const ask = async (listener: Listener, bytes: string | Buffer): Promise<string> => {
  const socket = open(listener);
  socket.write(bytes);
  return text(socket);
};

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const answered = 'body of 0';
const problem = (status: number, code: string) =>
  new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*application/problem\\+json[\\s\\S]*"code":"${code}"[\\s\\S]*}$`);

// Guarantee: a connection that has asked nothing is closed without a byte: a browser would read one as its next answer.
test('a fresh connection', async () => {
  const begunMs = performance.now();
  expect(await text(open(await start()))).toBe('');
  expect(performance.now() - begunMs).toBeLessThan(5000);
});

// Guarantee: the same between two requests on one connection, even when the client ends a request with an empty line.
test.each([get, `${get}\r\n`])('a connection that is kept: %j', async (bytes) => {
  const listener = await start({ timing: { ...timing, idle: { directMs: 100, proxyMs: 100 } } });
  expect((await ask(listener, bytes)).match(/HTTP\/1/g)).toHaveLength(1);
});

// Guarantee: a request that has begun and does not arrive in time gets an answer that says so, once.
test.each([
  ['half a request line', 'GET / HT'],
  ['half the headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-Thing'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345'],
  ['half a chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n12345'],
])('%s', async (_what, bytes) => {
  const listener = await start();
  const answer = await ask(listener, bytes);
  expect(answer).toMatch(problem(408, 'REQUEST_TIMEOUT'));
  expect(answer.match(/HTTP\/1/g)).toHaveLength(1);
  const [first, second] = (await ask(listener, get + bytes)).split(answered);
  expect(first).toMatch(/^HTTP\/1\.1 200 /);
  expect(second).toMatch(problem(408, 'REQUEST_TIMEOUT'));
});

// Guarantee: bytes that cannot be read as a request are answered with a problem document, and the connection ends.
test.each([
  ['no HTTP', 'hello there\r\n\r\n', 400, 'INVALID_REQUEST'],
  ['a TLS handshake', Buffer.from('16030100c8010000c40303', 'hex'), 400, 'INVALID_REQUEST'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'INVALID_REQUEST'],
  [
    'two lengths',
    `${get.trimEnd()}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    400,
    'INVALID_REQUEST',
  ],
  [
    'a chunk without a size',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
    400,
    'INVALID_REQUEST',
  ],
  [
    'endless chunk extensions',
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
    413,
    'PAYLOAD_TOO_LARGE',
  ],
  ['endless headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(140_000)}`, 431, 'HEADERS_TOO_LARGE'],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 404, 'NOT_FOUND'],
])('%s', async (_what, bytes, status, code) => {
  expect(await ask(await start(), bytes)).toMatch(problem(status, code));
  const refusal = () => new Problem('LICENSE_REQUIRED');
  expect(await ask(await start({ refusal }), bytes)).toMatch(problem(403, 'LICENSE_REQUIRED'));
});

// Guarantee: a peer that closes its side in the middle of a request, or before one, ends like the others.
test('half closed', async () => {
  const listener = await start();
  const [half, none] = [open(listener), open(listener)];
  half.end('GET / HT');
  none.end();
  expect(await text(half)).toMatch(problem(400, 'INVALID_REQUEST'));
  expect(await text(none)).toBe('');
});

// Guarantee: 100-continue is granted; an expectation that HTTP does not know changes nothing; no upgrade happens unasked.
test('expectations and upgrades', async () => {
  const listener = await start();
  const post = (header: string) =>
    `POST / HTTP/1.1\r\nHost: a\r\n${header}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab`;
  expect(await ask(listener, post('Expect: 100-continue'))).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [\s\S]*body of 2$/,
  );
  expect(await ask(listener, post('Expect: tea'))).toMatch(/^HTTP\/1\.1 200 [\s\S]*body of 2$/);
  expect(await ask(listener, post('Upgrade: websocket'))).toMatch(/^HTTP\/1\.1 200 [\s\S]*body of 2$/);
});

// Guarantee: no second answer follows one that has begun: the client no longer waits for one.
test('a body that fails after its answer', async () => {
  const listener = await start({
    handler: (request, response) => {
      request.resume();
      response.end('enough');
    },
  });
  for (const rest of ['12345', 'xyz\r\n']) {
    const answer = await ask(
      listener,
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${rest}`,
    );
    expect(answer.match(/HTTP\/1/g)).toHaveLength(1);
    expect(answer).toMatch(/enough$/);
  }
});

// Guarantee: bytes after a request are answered after its answer, never in place of it.
test('nonsense behind a request that is still at work', async () => {
  const work = Promise.withResolvers<void>();
  const listener = await start({
    handler: async (_request, response) => {
      await work.promise;
      response.end('done');
    },
  });
  const socket = open(listener);
  const failed = once(listener.server, 'clientError');
  socket.write(`${get}nonsense\r\n\r\n`);
  await failed;
  work.resolve();
  const [first, second] = (await text(socket)).split('done');
  expect(first).toMatch(/^HTTP\/1\.1 200 /);
  expect(second).toMatch(problem(400, 'INVALID_REQUEST'));
});

// Guarantee: the same for a CONNECT, and each answer comes once.
test('a CONNECT behind a request that is still at work', async () => {
  const work = Promise.withResolvers<void>();
  const listener = await start({
    handler: async (_request, response) => {
      await work.promise;
      response.end('done');
    },
  });
  const socket = open(listener);
  const asked = once(listener.server, 'connect');
  socket.write(`${get}CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\nmore`);
  await asked;
  work.resolve();
  const [first, second] = (await text(socket)).split('done');
  expect(first).toMatch(/^HTTP\/1\.1 200 /);
  expect(second).toMatch(problem(404, 'NOT_FOUND'));
});

// Guarantee: the usual time-outs are exact to the second.
test('the usual time-outs', async () => {
  const { server } = owned.use(await listen({ handler: readsBody, host: '127.0.0.1', port: 0 }));
  const { headersTimeout, requestTimeout } = server;
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 10_000, requestTimeout: 30_000 });
  expect(Reflect.get(server, 'connectionsCheckingInterval')).toBe(1000);
});

const otherAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

const connectFrom = (port: number, localAddress?: string): Socket => {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress ? { localAddress } : {}) });
  owned.defer(() => void socket.destroy());
  return socket.on('error', () => undefined);
};
const stays = async (socket: Socket): Promise<boolean> => {
  socket.write(get);
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
};

// Guarantee: one address holds no more connections than its share, others are served, and its share becomes free again.
test.skipIf(!otherAddress)('connections of one address', async () => {
  const limits = { inAll: 100, perAddress: 2 };
  const listener = await start({ host: '0.0.0.0', limits });
  const trusting = await start({ host: '0.0.0.0', limits, isTrustedProxy: () => true });
  const first = connectFrom(listener.port, otherAddress);
  expect(await stays(first)).toBe(true);
  expect(await stays(connectFrom(listener.port, otherAddress))).toBe(true);
  expect(await stays(connectFrom(listener.port, otherAddress))).toBe(false);
  for (let own = 0; own < 4; own += 1) expect(await stays(connectFrom(listener.port))).toBe(true);
  for (let own = 0; own < 4; own += 1)
    expect(await stays(connectFrom(trusting.port, otherAddress))).toBe(true);
  first.destroy();
  await expect.poll(() => stays(connectFrom(listener.port, otherAddress))).toBe(true);
});

// Guarantee: the last connection of an address gives its share back, too.
test.skipIf(!otherAddress)('an address that comes back', async () => {
  const { port } = await start({ host: '0.0.0.0', limits: { inAll: 100, perAddress: 1 } });
  let only = connectFrom(port, otherAddress);
  expect(await stays(only)).toBe(true);
  const comesBack = async () => {
    only = connectFrom(port, otherAddress);
    return stays(only);
  };
  for (let visit = 0; visit < 2; visit += 1) {
    expect(await stays(connectFrom(port, otherAddress))).toBe(false);
    only.destroy();
    await expect.poll(comesBack).toBe(true);
  }
});

// Guarantee: the programs of this machine have no such share, even when they use the machine's own address.
test.skipIf(!otherAddress)('connections of this machine', async () => {
  const { port } = await start({ host: '0.0.0.0', limits: { inAll: 100, perAddress: 2 } });
  for (let own = 0; own < 4; own += 1) {
    const socket = connect({ port, host: otherAddress, localAddress: otherAddress });
    owned.defer(() => void socket.destroy());
    expect(await stays(socket.on('error', () => undefined))).toBe(true);
  }
});

// Guarantee: all addresses together stay within the total, and existing connections stay.
test('connections in all', async () => {
  const listener = await start({ limits: { inAll: 2, perAddress: 100 } });
  const first = connectFrom(listener.port);
  expect([await stays(first), await stays(connectFrom(listener.port))]).toEqual([true, true]);
  expect(await stays(connectFrom(listener.port))).toBe(false);
  expect(await stays(first)).toBe(true);
});
