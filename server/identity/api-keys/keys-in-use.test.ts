import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { expect, test } from 'vitest';
import { createKeysInUse, type KeysInUse } from './keys-in-use.ts';

/** Requests that a key has open, as far as their handlers have got. */
const serve = async (inUse: KeysInUse) => {
  const arrived: Request[] = [];
  const app = express();
  app.get('/', (request) => {
    inUse.begin('k', request);
    arrived.push(request);
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    arrived,
    ask: () =>
      new Promise<string>((resolve) => {
        request({ host: '127.0.0.1', port, agent: false })
          .on('response', (response) => resolve(String(response.resume().statusCode)))
          .on('error', () => resolve('cut off'))
          .end();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

// Guarantee: the end of a key is reported only when nothing that it asked for is still running.
test('a request on its way', async () => {
  const inUse = createKeysInUse();
  await using served = await serve(inUse);
  const answer = served.ask();
  await expect.poll(() => served.arrived.length).toBe(1);
  let told = false;
  const ended = inUse.ended(['k', 'another']).then(() => {
    told = true;
  });
  expect(await Promise.race([ended, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits');
  expect(told).toBe(false);
  served.arrived[0]?.res?.sendStatus(204);
  await ended;
  expect(await answer).toBe('204');
  await inUse.ended(['k']);
});

// Guarantee: a request that does not end is cut off, and one that ends its own key does not wait for itself.
test('a request without an end', async () => {
  const inUse = createKeysInUse(50);
  await using served = await serve(inUse);
  const [endless, own] = [served.ask(), served.ask()];
  await expect.poll(() => served.arrived.length).toBe(2);
  const [, asking] = served.arrived;
  await inUse.ended(['k'], asking);
  asking?.res?.sendStatus(204);
  expect(new Set([await endless, await own])).toEqual(new Set(['cut off', '204']));
});
