import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, ConnectionOptions } from './connection.ts';
import { type ConnectionEnd, judgeConnection } from './connection-verdict.ts';
import { openPollingConnection } from './polling-connection.ts';

export interface Polling extends AsyncDisposable {
  /** While another connection speaks. */
  pause(): void;
  resume(): void;
  /** Settles when the API answers again after it could not be reached by polling either: its absence was no matter of WebSockets. */
  readonly reachedAgain: Promise<void>;
}

/** Keeps a polling connection, however often it ends. */
export const keepPolling = (
  options: ConnectionOptions,
  report: (message: string) => void,
  onConnected: () => void,
): Polling => {
  const { timing } = options;
  const stopping = new AbortController();
  const reachedAgain = Promise.withResolvers<void>();
  let connection: Connection | null = null;
  let resumed = Promise.withResolvers<void>();
  resumed.resolve();
  let isPaused = false;
  let wasAway = false;

  const loop = async () => {
    for (let tries = 1; !stopping.signal.aborted; tries += 1) {
      await resumed.promise;
      if (stopping.signal.aborted) return;
      const current = openPollingConnection(options);
      connection = current;
      void current.acknowledged.then(() => {
        onConnected();
        tries = 0;
        if (wasAway) reachedAgain.resolve();
      });
      const ended = await current.ended;
      connection = null;
      if (stopping.signal.aborted || isPaused) continue;
      const { slowMs, message } = judgeConnection(ended);
      report(message);
      wasAway ||= isAbsence(ended.end);
      const waitMs = slowMs
        ? timing.slowMs(slowMs.least, slowMs.most)
        : timing.reconnectMs(Math.max(1, tries));
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = loop();

  return {
    reachedAgain: reachedAgain.promise,
    pause() {
      if (isPaused) return;
      isPaused = true;
      resumed = Promise.withResolvers();
      connection?.close();
    },
    resume() {
      isPaused = false;
      resumed.resolve();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      resumed.resolve();
      connection?.close();
      await ended;
    },
  };
};

const isAbsence = ({ cause }: ConnectionEnd): boolean => cause === 'unreachable';
