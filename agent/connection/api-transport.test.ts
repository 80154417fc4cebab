import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { openTestProxy } from '#harness/outside-servers.ts';
import { freePort } from '#harness/ports.ts';
import { selfSigned } from '#harness/self-signed.ts';
import { certificatePin } from '#runtime/certificate-pin.ts';
import { nothingSet, setUpOutside } from '#runtime/outside/outside.ts';
import { Secret } from '#runtime/secret.ts';
import { askApi } from './api-request.ts';
import { connectTrusted, pinMismatch } from './api-transport.ts';
import { judgeConnection } from './connection-verdict.ts';

const pinOf = (cert: string) => certificatePin(new X509Certificate(cert));

const openApi = async (certificate: { readonly cert: string; readonly key: string }) => {
  let asked = 0;
  const server = createServer(certificate, (request, response) => {
    asked += 1;
    request.resume().on('end', () => response.end('{}'));
  });
  server.on('upgrade', (_request, socket) => {
    asked += 1;
    socket.end('HTTP/1.1 418 No\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked: () => asked,
    ask: (pins: readonly string[]) =>
      askApi({
        url: new URL(`https://127.0.0.1:${port}/`),
        body: 'x'.repeat(100_000),
        answer: z.object({}),
        pins,
        timeoutMs: 5000,
        signal: new AbortController().signal,
      }),
    upgrade: async (pins: readonly string[]): Promise<string> => {
      const socket = new WebSocket(`wss://127.0.0.1:${port}/`, { createConnection: connectTrusted(pins) });
      const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
      return error.code ?? error.message;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

// Guarantee: a certificate that no authority vouches for is trusted only by its key, even after a renewal with that key; nothing is
// sent to any other.
test('trust by key', async () => {
  const first = selfSigned();
  const renewed = selfSigned(first.key);
  const pins = [pinOf(selfSigned().cert), pinOf(first.cert)];
  for (const certificate of [first, renewed]) {
    await using api = await openApi(certificate);
    expect(await api.ask(pins)).toEqual({ answer: {} });
    expect(await api.upgrade(pins)).toContain('418');
    expect(api.asked()).toBe(2);
    const own = (detail: string) => ({ end: { cause: 'unreachable', detail } });
    expect(await api.ask([])).toEqual(own('DEPTH_ZERO_SELF_SIGNED_CERT'));
    expect(await api.ask(pins.slice(0, 1))).toEqual(own(pinMismatch));
    expect(await api.upgrade(pins.slice(0, 1))).toBe(pinMismatch);
    expect(await api.upgrade([])).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(api.asked()).toBe(2);
  }
});

const ask = (url: string, timeoutMs: number) =>
  askApi({
    url: new URL(url),
    body: '{}',
    answer: z.object({}),
    pins: [],
    timeoutMs,
    signal: new AbortController().signal,
  });

// Guarantee: what keeps an agent from its API is said in words, and not by a code alone, also where a proxy is in the way.
test('an API that cannot be reached', async () => {
  const port = await freePort();
  await using silent = await openTestProxy(() => null);
  await using forbidding = await openTestProxy(() => 'HTTP/1.1 403 No\r\n\r\n');
  onTestFinished(() => setUpOutside(nothingSet));
  const cases = [
    [null, `https://127.0.0.1:${port}/`, `Nothing accepts connections at 127.0.0.1:${port}.`],
    [null, `http://127.0.0.1:${port}/`, `Nothing accepts connections at 127.0.0.1:${port}.`],
    [port, 'https://panel.example/', `The proxy 127.0.0.1:${port} cannot be reached (ECONNREFUSED).`],
    [forbidding.port, 'https://panel.example/', `does not let Castellan through to panel.example`],
    [silent.port, 'https://panel.example/', 'No answer came from panel.example in time.'],
  ] as const;
  for (const [proxy, url, words] of cases) {
    const own = proxy === null ? undefined : new Secret(`http://127.0.0.1:${proxy}`);
    setUpOutside({ ...nothingSet, proxy: own });
    const asked = await ask(url, proxy === silent.port ? 200 : 60_000);
    if (!('end' in asked)) throw new Error('it was reached');
    const { message } = judgeConnection({ end: asked.end, wasAcknowledged: false });
    expect(message).toContain(words);
    expect(message).not.toMatch(/PROXY_|TIMEOUT|aborted/);
  }
});
