import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isAlive } from '#harness/script.ts';
import { killFamily } from './stop-family.ts';

/** More than the 3 s that a kill may take. */
const listingMs = 3100;

// Guarantee: remaining processes are killed however long a listing takes, even those that only a later listing shows.
test('listings that take longer than a kill may', { timeout: 60_000 }, async () => {
  const started = [0, 1].map(() =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }),
  );
  const gone = started.map((child) => once(child, 'exit'));
  const pids = started.map(({ pid = 0 }) => pid);
  let listed = 0;
  try {
    const killed = await killFamily(async () => {
      await delay(listingMs);
      listed += 1;
      return { postmaster: null, children: pids.slice(0, listed).filter(isAlive) };
    });
    expect(killed).toEqual(pids);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    await Promise.all(gone);
  }
});
