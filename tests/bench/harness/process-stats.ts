import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A process's own figures since the last question. */
export interface ProcessStats {
  readonly cpuSeconds: number;
  /** The longest time for which the event loop was blocked. */
  readonly stallMs: number;
  readonly seconds: number;
}

export interface Weight {
  /** Reachable memory on the heap, with its buffers. */
  readonly liveMiB: number;
  /** Resident memory after everything that can be returned to the system has been returned. */
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
      // The histogram contains whole intervals: the time beyond the resolution is the stall.
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
    // An ordinary collection keeps the space of the garbage: tens of MiB after thousands of arrivals.
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    const { heapUsed, external, rss } = process.memoryUsage();
    return { liveMiB: (heapUsed + external) / bytesPerMiB, rssMiB: rss / bytesPerMiB };
  };
  process.on('message', (question: Question) => {
    process.send?.(question === 'life' ? life() : weight());
    // The collection's stall is recorded at the next turn of the loop; it is ours, not the process's.
    setTimeout(beginAgain, question === 'life' ? 0 : afterCollectionMs);
  });
};

const ask = async (child: ChildProcess, question: Question): Promise<unknown> => {
  const answer = once(child, 'message');
  child.send(question);
  return (await answer)[0];
};

/** The figures of a child that calls `serveProcessStats`, since the last question. */
export const askProcessStats = (child: ChildProcess): Promise<ProcessStats> =>
  ask(child, 'life') as Promise<ProcessStats>;

/** The memory of such a child after a garbage collection, which does not count in its figures. */
export const weigh = (child: ChildProcess): Promise<Weight> => ask(child, 'weight') as Promise<Weight>;
