import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CannotStartError } from '../supervisor/component.ts';
import { demandPort } from './port-check.ts';

// Guarantee: a port that another program has is tried rarely, since each try takes it for a moment; an end of the stack ends the wait.
test('a taken port', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const wanted = { port, host: '127.0.0.1', remedy: (free: number) => `set ${free}` };
  const ending = new AbortController();
  const refusal = await demandPort(wanted, ending.signal, 0).catch((error: unknown) => error);
  if (!(refusal instanceof CannotStartError)) throw new Error('the port was free');
  expect(refusal.message).toContain(String(port));

  let tries = 0;
  const count = () => {
    tries += 1;
  };
  subscribe('tracing:net.server.listen:error', count);
  try {
    const mended = refusal.untilMended?.(ending.signal);
    await delay(100);
    // Two seconds lie between two tries; without a wait, there are dozens by now.
    expect(tries).toBeLessThan(3);
    ending.abort();
    await mended;
  } finally {
    unsubscribe('tracing:net.server.listen:error', count);
    other.close();
  }
});
