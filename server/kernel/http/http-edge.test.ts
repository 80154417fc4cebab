import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { eventually } from '#harness/eventually.ts';
import { type Listener, listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { askRaw } from '../testing/ask.ts';
import { guardHttpEdge } from './http-edge.ts';

let listener: Listener;
let taken: Duplex | null;
const sockets = new WebSocketServer({ noServer: true });
beforeEach(async () => {
  taken = null;
  listener = await listen({
    handler: (_request, response) => response.end('an ordinary answer'),
    host: '127.0.0.1',
    port: 0,
  });
  guardHttpEdge(listener.server, {
    refusal: () => null,
    upgrades: {
      '/taken': async (request, socket, head) => {
        taken = socket;
        sockets.handleUpgrade(request, socket, head, () => undefined);
      },
    },
    log: createLog({ component: 'test', level: 'silent' }),
  });
});
afterEach(() => listener[Symbol.asyncDispose]());

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const upgradeTo = (protocol: string) =>
  `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;

// Guarantee: a peer that never closes its side and keeps sending gets its answer and occupies no connection of ours.
test.each([
  ['an upgrade', upgradeTo('websocket')],
  ['a CONNECT', 'CONNECT game.example:443 HTTP/1.1\r\nHost: game.example:443\r\n\r\n'],
])('%s ends', async (_what, bytes) => {
  const peer = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  try {
    peer.write(`${bytes}more that nobody asked for`);
    expect(await text(peer)).toMatch(/^HTTP\/1\.1 404 .*"code":"NOT_FOUND"/s);
    await eventually(async () => expect(await openConnections(listener.server)).toBe(0));
  } finally {
    peer.destroy();
    if (!peer.closed) await once(peer, 'close');
  }
});

// Guarantee: a connection that was taken over carries nothing more of ours, however many there are.
test('a WebSocket', async () => {
  const peer = new WebSocket(`ws://127.0.0.1:${listener.port}/taken`);
  await once(peer, 'open');
  await eventually(() => expect(taken?.listenerCount('error')).toBe(1));
  peer.terminate();
  await once(peer, 'close');
  await eventually(async () => expect(await openConnections(listener.server)).toBe(0));
});

// Guarantee: a client that offers another protocol with an ordinary request, like curl with --http2, gets the ordinary answer.
test.each(['h2c', 'TLS/1.2', 'websocket2'])('an offer of %s is passed over', async (protocol) => {
  const asked = upgradeTo(protocol).replace('Connection: Upgrade', 'Connection: Upgrade, close');
  expect(await askRaw(listener.port, asked)).toMatch(/^HTTP\/1\.1 200 .*an ordinary answer$/s);
});
