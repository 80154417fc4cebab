import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { livePath } from '#contracts/kernel/live.ts';
import { listen } from '#runtime/http/listen.ts';
import { createLog } from '#runtime/log.ts';
import { guardHttpEdge } from '../http/http-edge.ts';
import { testOwner } from '../testing/feature-api.ts';
import { createLive } from './live.ts';
import type { LiveTopics } from './live-topic.ts';

const otherAddress = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal)?.address;

// Guarantee: open panels do not use up the connections that their office's address may hold.
test.skipIf(!otherAddress)('panels behind one address', async () => {
  await using owned = new AsyncDisposableStack();
  const log = createLog({ component: 'test', level: 'silent' });
  const { server, port } = owned.use(
    await listen({
      handler: (_request, response) => response.end(),
      host: '127.0.0.1',
      port: 0,
      limits: { inAll: 100, perAddress: 2 },
    }),
  );
  const live = owned.use(
    createLive({
      topics: {} as LiveTopics,
      tickets: { consume: () => testOwner },
      renewActor: async (actor) => actor,
      accessChanges: { subscribe: () => () => undefined },
      log,
    }),
  );
  guardHttpEdge(server, { refusal: () => null, upgrades: { [livePath]: live.upgrade }, log });
  for (let panel = 0; panel < 6; panel += 1) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${livePath}?ticket=t`, {
      ...(otherAddress ? { localAddress: otherAddress } : {}),
    });
    owned.defer(() => socket.terminate());
    await once(socket, 'open');
  }
  expect(live.connections).toBe(6);
});
