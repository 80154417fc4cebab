import { wakes as systemWakes, type WakeWatch } from '#runtime/wake-watch.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { type ConnectionEnd, judgeConnection } from './connection-verdict.ts';
import { followWakes } from './pause-until-wake.ts';
import { openPollingConnection } from './polling-connection.ts';

export interface Polling extends AsyncDisposable {
  /** While another connection is in use. */
  pause(): void;
  resume(): void;
  /** Settles when the API answers again after polling had failed too: its absence had nothing to do with WebSockets. */
  readonly reachedAgain: Promise<void>;
}

/** Keeps a polling connection, however often it ends. */
export const keepPolling = (
  options: ConnectionOptions & { readonly wakes?: WakeWatch | undefined },
  report: (message: string) => void,
  onConnected: () => void,
): Polling => {
  const { timing, wakes = systemWakes } = options;
  const stopping = new AbortController();
  const followed = followWakes(wakes, {
    stopping: stopping.signal,
    afterWakeMs: () => timing.reconnectMs(1),
    // After a wake, a held request may never be answered.
    onWake: () => connection?.close(),
  });
  const { pause: wait } = followed;
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
      const woken = followed.signal();
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
      if (woken.aborted) {
        tries = 0;
        await wait(timing.reconnectMs(1));
        continue;
      }
      const { slowMs, message } = judgeConnection(ended);
      report(message);
      wasAway ||= isAbsence(ended.end);
      await wait(slowMs ? timing.slowMs(slowMs.least, slowMs.most) : timing.reconnectMs(Math.max(1, tries)));
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
      followed[Symbol.dispose]();
      stopping.abort();
      resumed.resolve();
      connection?.close();
      await ended;
    },
  };
};

const isAbsence = ({ cause }: ConnectionEnd): boolean => cause === 'unreachable';
