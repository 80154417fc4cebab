import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { CannotStartError } from '../supervisor/component.ts';
import { demandPort } from './port-check.ts';

/** An address for documentation, which no machine has: nothing can listen there, and finding that out starts nothing. */
const nowhere = { port: 3001, host: '192.0.2.1', remedy: (free: number) => `set ${free}` };

// Guarantee: a port that cannot be had is tried rarely, since each try takes a free one for a moment; an end of the stack ends the wait.
test('a port that cannot be had', async () => {
  const ending = new AbortController();
  const refusal = await demandPort(nowhere, ending.signal).catch((error: unknown) => error);
  if (!(refusal instanceof CannotStartError)) throw new Error('the port was free');
  expect(refusal.message).toContain('192.0.2.1 cannot be used');

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
  }
});
