import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process knows of itself since it was last asked. */
export interface InnerLife {
  readonly cpuSeconds: number;
  /** The longest time for which the event loop did not turn. */
  readonly stallMs: number;
  readonly seconds: number;
  /** Memory that the process holds, after a garbage collection. */
  readonly rssMiB: number;
}

const resolutionMs = 5;
const microseconds = 1e6;
const nanosecondsPerMs = 1e6;
const afterCollectionMs = 100;
const bytesPerMiB = 1024 * 1024;

/** Answers a parent's questions about this process, for as long as it lives. */
export const tellInnerLife = (): void => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let cpu = process.cpuUsage();
  let beganMs = performance.now();
  process.on('message', () => {
    const used = process.cpuUsage(cpu);
    const life: InnerLife = {
      cpuSeconds: (used.user + used.system) / microseconds,
      // The histogram holds whole intervals: what lies over the resolution is the stall.
      stallMs: Math.max(0, delays.max / nanosecondsPerMs - resolutionMs),
      seconds: (performance.now() - beganMs) / 1000,
      rssMiB: 0,
    };
    collectGarbage();
    process.send?.({ ...life, rssMiB: process.memoryUsage.rss() / bytesPerMiB });
    // The stall of the collection itself is noted with the next turn of the loop; it is ours, not the process's.
    setTimeout(() => {
      delays.reset();
      cpu = process.cpuUsage();
      beganMs = performance.now();
    }, afterCollectionMs);
  });
};

/** What a child that tells its inner life has lived since the last question; the garbage collection is not counted. */
export const askInnerLife = async (child: ChildProcess): Promise<InnerLife> => {
  const answer = once(child, 'message');
  child.send('tell');
  const [life] = await answer;
  return life as InnerLife;
};
