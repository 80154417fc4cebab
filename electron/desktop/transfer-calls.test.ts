import { expect, test } from 'vitest';
import { customersHttp } from '#contracts/portal/customers.ts';
import { listen } from '#runtime/http/listen.ts';
import { createCustomerPortal } from './customer-portal.ts';
import { transferCalls } from './transfer-calls.ts';

// Guarantee: a connection that breaks just after the sign-in costs no second sign-in, though the code is used up.
test('the list of licenses is lost on the way', async () => {
  const pending = 'p'.repeat(43);
  const answers: Record<string, () => object | null> = {
    [customersHttp.requestCode.path]: () => ({ pending, expiresInSeconds: 600 }),
    [customersHttp.signIn.path]: () => ({
      email: 'keeper@example.com',
      token: 't'.repeat(43),
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    }),
    [customersHttp.licenses.path]: () => (isBroken ? null : { email: 'keeper@example.com', rows: [] }),
  };
  let isBroken = true;
  await using listener = await listen({
    handler: (request, response) => {
      const answer = answers[request.url ?? '']?.();
      if (!answer) return void request.socket.destroy();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    },
    host: '127.0.0.1',
    port: 0,
  });
  const portal = createCustomerPortal({
    portalUrl: `http://127.0.0.1:${listener.port}`,
    proxy: () => undefined,
  });
  const calls = transferCalls({
    portal,
    hwid: () => null,
    activate: () => Promise.reject(new Error('not asked here')),
  });
  expect(await calls['transfer.requestCode']({ email: 'keeper@example.com' })).toMatchObject({
    outcome: 'done',
  });
  expect(await calls['transfer.signIn']({ code: 'ABCD-EFGH' })).toMatchObject({ code: null });
  isBroken = false;
  expect(await calls['transfer.signIn']({ code: 'ABCD-EFGH' })).toEqual({ outcome: 'done', rows: [] });
});
