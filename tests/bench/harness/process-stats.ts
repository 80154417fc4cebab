import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a process knows of itself since it was last asked. */
export interface ProcessStats {
  readonly cpuSeconds: number;
  /** The longest time for which the event loop did not turn. */
  readonly stallMs: number;
  readonly seconds: number;
}

export interface Weight {
  /** What is reachable on the heap, with the buffers that it holds. */
  readonly liveMiB: number;
  /** What the process holds of the machine once all that can be given back is given back. */
  readonly rssMiB: number;
}

type Question = 'life' | 'weight';

const resolutionMs = 5;
const microseconds = 1e6;
const nanosecondsPerMs = 1e6;
const afterCollectionMs = 100;
const bytesPerMiB = 1024 * 1024;

/** Answers a parent's questions about this process, for as long as it lives. */
export const serveProcessStats = (): void => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as (how: object) => void;
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let cpu = process.cpuUsage();
  let beganMs = performance.now();
  const life = (): ProcessStats => {
    const used = process.cpuUsage(cpu);
    return {
      cpuSeconds: (used.user + used.system) / microseconds,
      // The histogram holds whole intervals: what lies over the resolution is the stall.
      stallMs: Math.max(0, delays.max / nanosecondsPerMs - resolutionMs),
      seconds: (performance.now() - beganMs) / 1000,
    };
  };
  const beginAgain = () => {
    delays.reset();
    cpu = process.cpuUsage();
    beganMs = performance.now();
  };
  const weight = (): Weight => {
    // An ordinary collection keeps the room that garbage had: tens of MiB after thousands of arrivals.
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { heapUsed, external, rss } = process.memoryUsage();
    return { liveMiB: (heapUsed + external) / bytesPerMiB, rssMiB: rss / bytesPerMiB };
  };
  process.on('message', (question: Question) => {
    process.send?.(question === 'life' ? life() : weight());
    // The stall of the collection is noted with the next turn of the loop; it is ours, not the process's.
    setTimeout(beginAgain, question === 'life' ? 0 : afterCollectionMs);
  });
};

const ask = async (child: ChildProcess, question: Question): Promise<unknown> => {
  const answer = once(child, 'message');
  child.send(question);
  return (await answer)[0];
};

/** What a child that tells its inner life has lived since the last question. */
export const askProcessStats = (child: ChildProcess): Promise<ProcessStats> =>
  ask(child, 'life') as Promise<ProcessStats>;

/** What such a child weighs after a garbage collection, which is not counted into its life. */
export const weigh = (child: ChildProcess): Promise<Weight> => ask(child, 'weight') as Promise<Weight>;
