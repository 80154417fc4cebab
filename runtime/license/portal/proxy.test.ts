import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '../../secret.ts';
import { trustSuccessorsOf } from '../succession/key-trust.ts';
import { claimsFor, signToken, startFakePortal } from '../testing/fake-portal.ts';
import { createPortalClient } from './portal-client.ts';

const hwid = `sha256:${'cd'.repeat(32)}`;
const nowMs = Date.UTC(2026, 0, 1);
const server = await startFakePortal(() => nowMs);
afterAll(() => server[Symbol.asyncDispose]());
const trust = await trustSuccessorsOf(server.key.publicKey);

/** A proxy as companies run it: it forwards http, tunnels https, and demands a password. */
const openProxy = async (address = '127.0.0.1') => {
  const seen: string[] = [];
  const isKnown = (header: string | undefined) =>
    header === `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  const proxy = createServer(async (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (!isKnown(request.headers['proxy-authorization'])) return void response.writeHead(407).end();
    const body = await Array.fromAsync(request);
    const answer = await fetch(request.url ?? '', {
      method: request.method ?? 'GET',
      headers: { 'Content-Type': request.headers['content-type'] ?? '' },
      body: Buffer.concat(body),
    });
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, address, resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    seen,
    port,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
};

const { tenantId } = claimsFor(hwid, nowMs);
const token = signToken(claimsFor(hwid, nowMs), server.key);

// Guarantee: with a proxy, the portal is asked through it alone, and its answer counts as usual.
test('through a proxy', async () => {
  await using proxy = await openProxy();
  const url = new Secret(`http://me:p%40ss@127.0.0.1:${proxy.port}`);
  const portal = createPortalClient({ portalUrl: server.url, trust, proxy: () => url });
  expect(await portal.validate({ tenantId, token, hwid })).toMatchObject({ outcome: 'confirmed' });
  expect(proxy.seen).toEqual([`POST ${server.url}/api/licenses/validate`]);
});

// Guarantee: a proxy that refuses or is unreachable says nothing about the license.
test('a proxy in the way', async () => {
  await using proxy = await openProxy();
  const ask = (way: string, portalUrl: string) =>
    createPortalClient({ portalUrl, trust, timeoutMs: 2000, proxy: () => new Secret(way) }).validate({
      tenantId,
      token,
      hwid,
    });
  expect(await ask(`http://127.0.0.1:${proxy.port}`, server.url)).toMatchObject({
    outcome: 'unreachable',
    detail: expect.stringContaining('407'),
  });
  expect(await ask(`http://me:p%40ss@127.0.0.1:${proxy.port}`, 'https://portal.example')).toMatchObject({
    outcome: 'unreachable',
    detail: 'The proxy does not let us through to portal.example.',
  });
  expect(await ask('http://127.0.0.1:1', server.url)).toMatchObject({ outcome: 'unreachable' });
});

// Guarantee: an unencrypted request goes to no proxy: it would read the license and the token.
test('a portal without TLS', async () => {
  await using proxy = await openProxy();
  const way = () => new Secret(`http://me:p%40ss@127.0.0.1:${proxy.port}`);
  for (const portalUrl of ['http://portal.example', 'http://127.0.0.1.example', 'http://[2001:db8::1]']) {
    const portal = createPortalClient({ portalUrl, trust, proxy: way });
    expect(await portal.validate({ tenantId, token, hwid })).toMatchObject({
      outcome: 'unreachable',
      detail: expect.stringContaining('a proxy would see the license'),
    });
  }
  expect(proxy.seen).toEqual([]);
});

// Guarantee: a proxy can be reached by an IPv6 address too.
test('a proxy at an IPv6 address', async () => {
  await using proxy = await openProxy('::1');
  const url = new Secret(`http://me:p%40ss@[::1]:${proxy.port}`);
  const portal = createPortalClient({ portalUrl: server.url, trust, proxy: () => url });
  expect(await portal.validate({ tenantId, token, hwid })).toMatchObject({ outcome: 'confirmed' });
  expect(proxy.seen).toEqual([`POST ${server.url}/api/licenses/validate`]);
});

/** Answers every request with this text and keeps listening. */
const openOddProxy = async (says: string) => {
  const sockets = new Set<Socket>();
  const proxy = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    socket.once('data', () => socket.write(says));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: new Secret(`http://me:password-of-mine@127.0.0.1:${port}`),
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
};

// Guarantee: no proxy, however silent, slow or odd, makes us wait beyond the time limit, ends the program, or gets its password shown.
test.each([
  ['silent on the way to https', 'https://portal.example', '', 300, /did not answer within 0\.3 s/],
  ['silent on the way to http', 'http://127.0.0.1:1', '', 300, /did not answer within 0\.3 s/],
  [
    'stuck',
    'http://127.0.0.1:1',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{',
    300,
    /did not answer within/,
  ],
  [
    'of another status',
    'http://127.0.0.1:1',
    'HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n',
    20_000,
    /broke/,
  ],
  ['no proxy at all', 'https://portal.example', 'SSH-2.0-x\r\n\r\n', 20_000, /does not let us through/],
])('a proxy that is %s', async (_words, portalUrl, says, timeoutMs, detail) => {
  await using proxy = await openOddProxy(says);
  const portal = createPortalClient({ portalUrl, trust, timeoutMs, proxy: () => proxy.url });
  const answer = await portal.validate({ tenantId, token, hwid });
  expect(answer).toMatchObject({ outcome: 'unreachable', detail: expect.stringMatching(detail) });
  expect(JSON.stringify(answer)).not.toContain('password-of-mine');
  await eventually(() => expect(proxy.sockets.size).toBe(0));
});
