import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { portalHttp } from '#contracts/portal/portal.ts';
import { testDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { newAddress, newHwid, newMasterKey } from '#harness/portal.ts';
import { type PortalProcess, servePortal } from '#harness/portal-process.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';

/** Polls /ready as load balancers do, and sends requests to ready processes. */
const balance = (portals: Set<PortalProcess>) => {
  const ready = new Set<PortalProcess>();
  let over = false;
  const looking = (async () => {
    while (!over) {
      for (const portal of portals) {
        const says = await fetch(portal.url + portalHttp.ready.path).then(
          ({ status }) => status === 200,
          () => false,
        );
        if (says) ready.add(portal);
        else ready.delete(portal);
      }
      await delay(20);
    }
  })();
  let next = 0;
  return {
    ready,
    choose: (): PortalProcess | undefined => [...ready][next++ % ready.size],
    async stop() {
      over = true;
      await looking;
    },
  };
};

// Guarantee: restarting processes one after another, as the operations notes say, loses no request and cuts off no answer, even
// though clients keep their connections.
test('a rolling restart', { tags: 'night' }, async () => {
  await using resources = new AsyncDisposableStack();
  const database = resources.use(await testDatabase());
  const env = {
    PORTAL_HOME: resources.use(await temporaryFolder('portal-restart')).path,
    PORTAL_DATABASE_URL: database.url.reveal(),
    PORTAL_MASTER_KEY: newMasterKey().reveal(),
    PORTAL_DRAIN_SECONDS: '2',
    TRUST_PROXY: 'loopback',
  };
  const serve = async () => resources.use(await servePortal({ env }));
  const portals = new Set([await serve(), await serve()]);
  const balancer = balance(portals);
  await eventually(() => expect(balancer.ready.size).toBe(2));
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  let answers = 0;
  let restarting = true;
  const ask = ({ url }: PortalProcess): Promise<void> =>
    new Promise((settle) => {
      const body = JSON.stringify({ tenantId: `c${'0'.repeat(24)}`, token: 'a.b.c', hwid: newHwid() });
      const headers = {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'X-Forwarded-For': newAddress(),
      };
      const options = { method: 'POST', agent, headers } as const;
      const request = httpRequest(url + licensesHttp.validate.path, options, (response) => {
        if (response.statusCode === 403) answers += 1;
        else failures.push(`status ${response.statusCode}`);
        response.on('error', (error) => failures.push(error.message));
        response.resume().on('close', settle);
      });
      request.on('error', (error) => {
        failures.push(error.message);
        settle();
      });
      request.end(body);
    });
  const clients = Array.from({ length: 3 }, async () => {
    while (restarting) {
      const portal = balancer.choose();
      if (portal) {
        await ask(portal);
        await delay(5);
      } else {
        failures.push('none was ready');
        // Lets the balancer run; otherwise no process would ever be ready again.
        await delay(20);
      }
    }
  });
  for (const portal of [...portals]) {
    const before = answers;
    expect(await portal.end('SIGTERM')).toBe(0);
    expect(answers).toBeGreaterThan(before);
    portals.delete(portal);
    const successor = await serve();
    portals.add(successor);
    await eventually(() => expect(balancer.ready).toContain(successor));
  }
  restarting = false;
  await Promise.all(clients);
  await balancer.stop();
  agent.destroy();
  expect(failures).toEqual([]);
});
