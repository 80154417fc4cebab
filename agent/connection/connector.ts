import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#runtime/log.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { type ConnectionVerdict, judgeConnection } from './connection-verdict.ts';
import { keepPolling } from './polling.ts';
import { openWebSocketConnection } from './websocket-connection.ts';

export interface ConnectorOptions extends Omit<ConnectionOptions, 'onWelcome'> {
  readonly useWebSocket: boolean;
  /** True with each connection that the API has acknowledged, false when it ends or none comes about. */
  readonly onConnection: (isConnected: boolean) => void;
  readonly log: Log;
}

/** Interface document §8. */
const failuresUntilPolling = 3;

/** Keeps the agent connected: by WebSocket, and by polling where those do not get through, until one does again. */
export const keepConnected = (options: ConnectorOptions): AsyncDisposable => {
  const { useWebSocket, timing, log } = options;
  const stopping = new AbortController();
  let lastMessage: string | null = null;

  /** Each reason once, however often it keeps the agent away. */
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
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  const waitMs = ({ slowMs }: ConnectionVerdict, tries: number) =>
    slowMs ? timing.slowMs(slowMs.least, slowMs.most) : timing.reconnectMs(tries);

  /** Closed when the agent stops. */
  const ownUntilStopped = (connection: Connection): Connection => {
    const close = () => connection.close();
    if (stopping.signal.aborted) close();
    stopping.signal.addEventListener('abort', close, { once: true });
    void connection.ended.then(() => stopping.signal.removeEventListener('abort', close));
    return connection;
  };
  const openSocket = (onWelcome?: () => void) =>
    ownUntilStopped(openWebSocketConnection({ ...options, onWelcome }));

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
      const verdict = judgeConnection(ended);
      report(verdict.message);
      if (ended.wasAcknowledged) [failures, tries] = [0, 0];
      if (verdict.countsAsFailure) failures += 1;
      tries += 1;
      if (failures < failuresUntilPolling) await pause(waitMs(verdict, tries));
      else {
        log.warn({ failures }, 'WebSockets do not get through; polling until they do');
        adopted = await pollUntilHealed();
        [failures, tries] = [0, 0];
      }
    }
  };

  /** Polls on; resolves with a WebSocket that was acknowledged, or null when the agent stops. */
  const pollUntilHealed = async (): Promise<Connection | null> => {
    const polling = keepPolling(options, report, () => connected('polling'));
    try {
      let soonMs: Promise<void> = polling.reachedAgain.then(() => pause(timing.reconnectMs(1)));
      for (let leastMs = 0; !stopping.signal.aborted; ) {
        await Promise.race([pause(Math.max(leastMs, timing.websocketRetryMs())), soonMs]);
        if (stopping.signal.aborted) return null;
        // Once only: after that the API's return tells nothing new.
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
      stopping.abort();
      await ended;
    },
  };
};
