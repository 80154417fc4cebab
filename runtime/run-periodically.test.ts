import { expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { runPeriodically } from './run-periodically.ts';

const log = createLog({ component: 'test', level: 'silent' });

// Guarantee: work that takes longer than its interval is not begun a second time; it goes on at its interval when it has ended, also
// when it has failed.
test('slow work', async () => {
  vi.useFakeTimers();
  try {
    const runs: PromiseWithResolvers<void>[] = [];
    using _running = runPeriodically({
      intervalMs: 10,
      startsAtOnce: true,
      work() {
        const run = Promise.withResolvers<void>();
        runs.push(run);
        return run.promise;
      },
      failure: 'failed',
      log,
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toHaveLength(1);
    runs[0]?.reject(new Error('away'));
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toHaveLength(2);
    runs[1]?.resolve();
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});
