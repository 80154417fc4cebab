import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { liveCloseCodes } from '#contracts/kernel/live.ts';
import { eventually } from '#harness/eventually.ts';
import type { Actor } from '../access/actor.ts';
import { silentLog, testOwner } from '../testing/feature-api.ts';
import { type LiveConnection, openLiveConnection } from './live-connection.ts';
import type { LiveTopic } from './live-topic.ts';

let server: WebSocketServer;
let client: WebSocket;
let connection: LiveConnection;
/** The pending lookups of the actor, in the order of the calls. */
let looks: PromiseWithResolvers<Actor | null>[];
let subscriptions: number;

const counted: LiveTopic = {
  subscribe() {
    subscriptions += 1;
    return { [Symbol.dispose]: () => undefined };
  },
  [Symbol.dispose]: () => undefined,
};
const topics = {
  events: counted,
  health: counted,
  figures: counted,
  servers: counted,
  players: counted,
  console: counted,
  log: counted,
  deliveries: counted,
  enrolments: counted,
  'agent-tasks': counted,
  waiting: counted,
};

beforeEach(async () => {
  looks = [];
  subscriptions = 0;
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const opened = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      connection = openLiveConnection({
        socket,
        actor: testOwner,
        topics,
        renewActor() {
          const look = Promise.withResolvers<Actor | null>();
          looks.push(look);
          return look.promise;
        },
        heartbeatMs: 600_000,
        log: silentLog,
        onClose: () => undefined,
      });
      resolve();
    });
  });
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await Promise.all([opened, once(client, 'open')]);
  looks[0]?.resolve(testOwner);
});
afterEach(async () => {
  client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

const subscribe = JSON.stringify({ type: 'subscribe', topic: 'health' });

// Guarantee: of two lookups of the same actor, the later one counts, whichever is answered first.
test('looks that overtake one another', async () => {
  const narrowed: Actor = { ...testOwner, permissions: new Set() };
  const renewing = [connection.renew(), connection.renew()];
  await eventually(() => expect(looks).toHaveLength(3));
  looks[2]?.resolve(narrowed);
  await renewing[1];
  looks[1]?.resolve(testOwner);
  await Promise.all(renewing);
  expect(connection.actor).toBe(narrowed);
});

// Guarantee: a connection that is being closed ignores further messages.
test('messages behind a bad one', async () => {
  client.send(subscribe);
  await eventually(() => expect(subscriptions).toBe(1));
  const closed = once(client, 'close');
  client.send('{');
  for (let index = 0; index < 5; index += 1) client.send(subscribe);
  expect((await closed)[0]).toBe(liveCloseCodes.badMessage);
  expect(subscriptions).toBe(1);
});
