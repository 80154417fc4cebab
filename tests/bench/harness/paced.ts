import { Agent, get } from 'node:http';
import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export interface PacedOptions {
  readonly port: number;
  readonly path: string;
  readonly perSecond: number;
  /** Requests are sent as long as this is pending. */
  readonly until: Promise<unknown>;
}

export interface PacedResult {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly failures: number;
}

const microsecondsPerMs = 1000;

/** Sends requests at a steady pace, whether or not earlier answers have arrived: a stall delays all requests that fall into it. */
export const askAtPace = async ({ port, path, perSecond, until }: PacedOptions): Promise<PacedResult> => {
  const histogram = createHistogram();
  const agent = new Agent({ keepAlive: true });
  const pending = new Set<Promise<void>>();
  let over = false;
  let requests = 0;
  let failures = 0;
  const stop = () => {
    over = true;
  };
  until.then(stop, stop);
  const began = performance.now();
  while (!over) {
    const answer = askOnce(agent, port, path)
      .then(({ ms, status }) => {
        histogram.record(Math.max(1, Math.round(ms * microsecondsPerMs)));
        if (status !== 200) failures += 1;
      })
      .catch(() => {
        failures += 1;
      })
      .finally(() => pending.delete(answer));
    pending.add(answer);
    requests += 1;
    await delay(Math.max(0, began + (requests * 1000) / perSecond - performance.now()));
  }
  await Promise.all(pending);
  agent.destroy();
  return {
    requests,
    p50Ms: histogram.percentile(50) / microsecondsPerMs,
    p99Ms: histogram.percentile(99) / microsecondsPerMs,
    maxMs: histogram.max / microsecondsPerMs,
    failures,
  };
};

const askOnce = (agent: Agent, port: number, path: string): Promise<{ ms: number; status: number }> =>
  new Promise((resolve, reject) => {
    const start = performance.now();
    const request = get({ agent, host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      response.on('end', () => resolve({ ms: performance.now() - start, status: response.statusCode ?? 0 }));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
