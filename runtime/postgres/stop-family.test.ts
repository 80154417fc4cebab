import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAlive } from '#harness/script.ts';
import { killFamily } from './stop-family.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

// Guarantee: processes that are left are killed however long a listing takes, also those that only a later one shows.
test('listings that take longer than a kill may', async () => {
  const started = [0, 1].map(() =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }),
  );
  const gone = started.map((child) => once(child, 'exit'));
  const pids = started.map(({ pid = 0 }) => pid);
  let listed = 0;
  try {
    const killed = await killFamily(async () => {
      vi.advanceTimersByTime(20_000);
      listed += 1;
      return { postmaster: null, children: pids.slice(0, listed).filter(isAlive) };
    });
    expect(killed).toEqual(pids);
  } finally {
    for (const child of started) child.kill('SIGKILL');
    await Promise.all(gone);
  }
});
