import type { Log } from '#runtime/log.ts';
import { wakes as systemWakes, type WakeWatch } from '#runtime/wake-watch.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { type ConnectionVerdict, judgeConnection } from './connection-verdict.ts';
import { followWakes } from './pause-until-wake.ts';
import { keepPolling } from './polling.ts';
import { openWebSocketConnection } from './websocket-connection.ts';

interface ConnectorOptions extends Omit<ConnectionOptions, 'onWelcome'> {
  readonly useWebSocket: boolean;
  /** Called with true for each connection that the API has acknowledged, and with false when it ends or cannot be made. */
  readonly onConnection: (isConnected: boolean) => void;
  /** After a sleep no connection is trusted, and the next try comes as soon as a first one. */
  readonly wakes?: WakeWatch | undefined;
  readonly log: Log;
}

/** Interface document §8. */
const failuresUntilPolling = 3;

/** Keeps the agent connected: by WebSocket, or by polling while those do not get through. */
export const keepConnected = (options: ConnectorOptions): AsyncDisposable => {
  const { useWebSocket, timing, wakes = systemWakes, log } = options;
  const stopping = new AbortController();
  const followed = followWakes(wakes, {
    stopping: stopping.signal,
    afterWakeMs: () => timing.reconnectMs(1),
  });
  const { pause } = followed;
  let lastMessage: string | null = null;

  /** Logs each reason once, however often it prevents a connection. */
  const report = (message: string) => {
    options.onConnection(false);
    if (message !== lastMessage && !stopping.signal.aborted) log.warn(message);
    lastMessage = message;
  };
  const connected = (mode: 'websocket' | 'polling') => {
    lastMessage = null;
    options.onConnection(true);
    log.info({ mode }, 'connected to the API');
  };
  const waitMs = ({ slowMs }: ConnectionVerdict, tries: number) =>
    slowMs ? timing.slowMs(slowMs.least, slowMs.most) : timing.reconnectMs(tries);

  /** Closed when the agent stops, and when the machine wakes. */
  const own = (connection: Connection): Connection => {
    const close = () => connection.close();
    if (stopping.signal.aborted) close();
    const signals = [stopping.signal, followed.signal()];
    for (const signal of signals) signal.addEventListener('abort', close, { once: true });
    void connection.ended.then(() => {
      for (const signal of signals) signal.removeEventListener('abort', close);
    });
    return connection;
  };
  const openSocket = (onWelcome?: () => void) => own(openWebSocketConnection({ ...options, onWelcome }));

  const keepWebSocket = async () => {
    let adopted: Connection | null = null;
    let failures = 0;
    let tries = 0;
    while (!stopping.signal.aborted) {
      const connection: Connection = adopted ?? openSocket();
      adopted = null;
      void connection.acknowledged.then(() => connected('websocket'));
      const ended = await connection.ended;
      if (stopping.signal.aborted) return;
      if (ended.end.cause === 'stopped') {
        options.onConnection(false);
        log.info('the machine slept; reconnecting to the API');
        [failures, tries] = [0, 0];
        await pause(timing.reconnectMs(1));
        continue;
      }
      const verdict = judgeConnection(ended);
      report(verdict.message);
      if (ended.wasAcknowledged) [failures, tries] = [0, 0];
      if (verdict.countsAsFailure) failures += 1;
      tries += 1;
      if (failures < failuresUntilPolling) await pause(waitMs(verdict, tries));
      else {
        log.warn({ failures }, 'WebSocket connections fail; polling until they work');
        adopted = await pollUntilHealed();
        [failures, tries] = [0, 0];
      }
    }
  };

  /** Continues polling; resolves with an acknowledged WebSocket, or null when the agent stops. */
  const pollUntilHealed = async (): Promise<Connection | null> => {
    const polling = keepPolling(options, report, () => connected('polling'));
    try {
      let soonMs: Promise<void> = polling.reachedAgain.then(() => pause(timing.reconnectMs(1)));
      for (let leastMs = 0; !stopping.signal.aborted; ) {
        await Promise.race([pause(Math.max(leastMs, timing.websocketRetryMs())), soonMs]);
        if (stopping.signal.aborted) return null;
        // Only once: after that, the API's return is no news.
        soonMs = new Promise(() => undefined);
        const probe = openSocket(() => polling.pause());
        const ended = await Promise.race([probe.acknowledged.then(() => null), probe.ended]);
        if (ended === null) return probe;
        polling.resume();
        const { slowMs } = judgeConnection(ended);
        leastMs = slowMs ? timing.slowMs(slowMs.least, slowMs.most) : 0;
      }
      return null;
    } finally {
      await polling[Symbol.asyncDispose]();
    }
  };

  const pollOnly = async () => {
    const polling = keepPolling(options, report, () => connected('polling'));
    if (!stopping.signal.aborted)
      await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
    await polling[Symbol.asyncDispose]();
  };

  const ended = useWebSocket ? keepWebSocket() : pollOnly();
  return {
    async [Symbol.asyncDispose]() {
      followed[Symbol.dispose]();
      stopping.abort();
      await ended;
    },
  };
};
