import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type WebSocket as Socket, WebSocketServer } from 'ws';
import { type ClientMessage, liveCloseCodes, type ServerMessage } from '#contracts/kernel/live.ts';
import { contractVersion } from '#contracts/kernel/product.ts';
import { type LiveClient, type LiveState, openLiveClient } from './live-client.ts';

/** The API's end of the connection, as far as the client can see it. */
interface Api {
  readonly connections: Socket[];
  readonly heard: ClientMessage[];
  tickets: number;
  say(message: ServerMessage): void;
}

let server: Server;
let sockets: WebSocketServer;
let api: Api;
let client: LiveClient | null = null;
let states: LiveState[];
let isFull = false;
const reported = vi.fn();
const patience = { timeout: 20_000 };

beforeEach(async () => {
  states = [];
  api = {
    connections: [],
    heard: [],
    tickets: 0,
    say: (message) => api.connections.at(-1)?.send(JSON.stringify(message)),
  };
  server = createServer((_request, response) => {
    api.tickets += 1;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ ticket: 'x', expiresInSeconds: 30 }));
  });
  sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    api.connections.push(socket);
    socket.on('message', (data) => api.heard.push(JSON.parse(String(data))));
    socket.send(JSON.stringify({ type: 'welcome', contractVersion, heartbeatSeconds: 20 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch } = globalThis;
  vi.stubGlobal('location', { href: base });
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(base + path, init));
  vi.stubGlobal('reportError', reported);
});
afterEach(async () => {
  client?.[Symbol.dispose]();
  client = null;
  for (const socket of sockets.clients) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
  vi.unstubAllGlobals();
});

const open = (): LiveClient => {
  client = openLiveClient({
    onState(state, isFullNow) {
      states.push(state);
      isFull = isFullNow;
    },
    onOtherVersion: () => undefined,
  });
  return client;
};
const log = { topic: 'log', component: 'api' } as const;
const said = (cursor: string): ServerMessage => ({
  type: 'log',
  component: 'api',
  rows: [],
  skipped: 1,
  cursor,
});
const subscribed = (cursor: string, resumed: boolean): ServerMessage => ({
  type: 'subscribed',
  ...log,
  cursor,
  resumed,
});
const asked = () => api.heard.filter(({ type }) => type === 'subscribe');

// Guarantee: after a lost connection each topic continues after its last message, and nothing is requested twice.
test('goes on where it was', async () => {
  const got: string[] = [];
  open().subscribe(log, ({ type }) => got.push(type), '1.0');
  await expect.poll(asked, patience).toEqual([{ type: 'subscribe', ...log, since: '1.0' }]);
  api.say(subscribed('1.0', true));
  api.say(said('1.7'));
  await expect.poll(() => got, patience).toEqual(['subscribed', 'log']);
  api.connections[0]?.terminate();
  await expect.poll(() => asked().slice(1), patience).toEqual([{ type: 'subscribe', ...log, since: '1.7' }]);
  expect(states).toEqual(['connecting', 'live', 'away', 'live']);
});

// Guarantee: a listener that shares a topic with another one, which started it again from a different place, is told
// that something may be missing.
test('a listener that another one has displaced knows it', async () => {
  const told: [string, boolean][] = [];
  const tell = (name: string) => (message: ServerMessage) =>
    void (message.type === 'subscribed' && told.push([name, message.resumed]));
  open().subscribe(log, tell('first'), '1.0');
  await expect.poll(asked, patience).toHaveLength(1);
  api.say(subscribed('1.0', true));
  await expect.poll(() => told, patience).toEqual([['first', true]]);
  client?.subscribe(log, tell('second'), '1.9');
  await expect.poll(asked, patience).toHaveLength(2);
  api.say(subscribed('1.9', true));
  await expect
    .poll(() => told.slice(1), patience)
    .toEqual([
      ['first', false],
      ['second', true],
    ]);
});

// Guarantee: one listener's error does not affect the others.
test('a listener that fails', async () => {
  const got = vi.fn();
  open().subscribe(log, () => {
    throw new Error('a fault of a page');
  });
  client?.subscribe(log, got);
  await expect.poll(asked, patience).not.toHaveLength(0);
  api.say(said('1.1'));
  await expect.poll(() => got.mock.calls.length, patience).toBe(1);
  expect(reported).toHaveBeenCalledOnce();
});

// Guarantee: an invalid id from a mangled address ends no connection: it is not sent at all.
test('an id that cannot be one', async () => {
  const live = open();
  for (const serverId of ['x'.repeat(65), 'a\u0000b', ''])
    live.subscribe({ topic: 'console', serverId }, () => undefined);
  live.subscribe(log, () => undefined);
  await expect.poll(() => states, patience).toContain('live');
  await expect.poll(asked, patience).toEqual([{ type: 'subscribe', ...log }]);
});

// Guarantee: a topic that the API could not provide for a while comes back by itself; one that was left does not.
test('a topic that has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const leave = open().subscribe(log, () => undefined);
    await vi.waitFor(() => expect(asked()).toHaveLength(1), patience);
    api.say({ type: 'ended', ...log, code: 'INTERNAL', detail: '' });
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(5000);
      expect(asked()).toHaveLength(2);
    }, patience);
    leave();
    api.say({ type: 'ended', ...log, code: null, detail: '' });
    await vi.advanceTimersByTimeAsync(8000);
    expect(asked()).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

// Guarantee: a client that is disconnected for what it sent, or for lack of room, does not reconnect immediately; and
// an API without room is distinguished from one that is away.
test.each(['badMessage', 'noRoom'] as const)('a connection that was ended for a fault: %s', async (why) => {
  open();
  await expect.poll(() => states, patience).toContain('live');
  const { tickets } = api;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    api.connections[0]?.close(liveCloseCodes[why]);
    await vi.waitFor(() => expect(states).toContain('away'), patience);
    expect(isFull).toBe(why === 'noRoom');
    await vi.advanceTimersByTimeAsync(9000);
    expect(api.tickets).toBe(tickets);
    await vi.advanceTimersByTimeAsync(1001);
    await vi.waitFor(() => expect(api.tickets).toBe(tickets + 1), patience);
  } finally {
    vi.useRealTimers();
  }
});
