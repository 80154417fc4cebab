import type { Page } from 'playwright-core';

export interface FrameFigures extends Readonly<Record<string, number>> {
  readonly frames: number;
  readonly 'p50 ms': number;
  readonly 'p95 ms': number;
  readonly 'p99 ms': number;
  readonly 'longest ms': number;
  readonly 'over 50 ms': number;
}

const begin = `
  window.benchFrames = [];
  window.benchLast = performance.now();
  window.benchTick = (now) => {
    benchFrames.push(now - benchLast);
    benchLast = now;
    window.benchRequest = requestAnimationFrame(benchTick);
  };
  window.benchRequest = requestAnimationFrame(benchTick);`;

const end = 'cancelAnimationFrame(benchRequest); benchFrames';

/** People notice a frame that is this late. */
const noticedMs = 50;

/** The times between a page's frames while `act` runs. */
export const framesWhile = async (page: Page, act: () => Promise<unknown>): Promise<FrameFigures> => {
  await page.bringToFront();
  await page.evaluate(begin);
  await act();
  const times = ((await page.evaluate(end)) as number[]).slice(1).sort((a, b) => a - b);
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    frames: times.length,
    'p50 ms': at(0.5),
    'p95 ms': at(0.95),
    'p99 ms': at(0.99),
    'longest ms': at(1),
    'over 50 ms': times.filter((ms) => ms > noticedMs).length,
  };
};

const bytesPerMiB = 1024 * 1024;

/** The memory of a page's scripts after a garbage collection. */
export const heapMiB = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / bytesPerMiB;
};
