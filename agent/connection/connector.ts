import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import {
  type ApiFrame,
  agentSocketPath,
  type HelloFrame,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import type { Log } from '#runtime/log.ts';
import { wakes as systemWakes, type WakeWatch } from '#runtime/wake-watch.ts';
import { connectTrusted, tunnelTo } from './api-transport.ts';
import { addressBelow, type Connection, type ConnectionOptions } from './connection.ts';
import {
  type ConnectionEnd,
  type ConnectionVerdict,
  type EndedConnection,
  judgeConnection,
} from './connection-verdict.ts';
import { encodeFrame } from './outbox.ts';
import { followWakes } from './pause-until-wake.ts';
import { keepPolling } from './polling.ts';
import { readProblem, unreachableBy } from './problem-answer.ts';
import { isProvenApi, makeHello } from './proof.ts';
import { readFrame } from './read-frame.ts';
import { openSession, type Session } from './session.ts';

/** The most that may wait in the socket; a slower API gets nothing more until it has read it. */
const mostBufferedBytes = 1024 * 1024;
/** The API accepts 1000 frames in 10 s. */
const burst = { frames: 50, everyMs: 600 };
const problemBytes = 64 * 1024;

const openWebSocketConnection = (options: ConnectionOptions): Connection => {
  const { apiUrl, pins, identity, subjects, timing, onWelcome } = options;
  const acknowledged = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<EndedConnection>();
  const url = addressBelow(apiUrl, agentSocketPath);
  url.protocol = url.protocol.replace('http', 'ws');
  let hello: HelloFrame | null = null;
  let session: Session | null = null;
  let wasAcknowledged = false;
  let isOver = false;
  let pace: NodeJS.Timeout | undefined;

  const tunnel = url.protocol === 'wss:' ? tunnelTo(url, pins) : undefined;
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: largestAgentFrame,
    handshakeTimeout: timing.answerMs,
    followRedirects: false,
    ...(tunnel ? { agent: tunnel } : url.protocol === 'wss:' && { createConnection: connectTrusted(pins) }),
  });
  const deadline = setTimeout(
    () => end({ cause: 'misunderstood', detail: 'no welcome in time' }),
    timing.answerMs + timing.loginMs,
  );

  const end = (why: ConnectionEnd) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(deadline);
    clearTimeout(pace);
    session?.[Symbol.dispose]();
    if (why.cause === 'stopped') socket.close(1000);
    else socket.terminate();
    // A close frame without an answer must not hold us up.
    setTimeout(() => socket.terminate(), 1000).unref();
    ended.resolve({ end: why, wasAcknowledged });
  };

  const speak = () => {
    if (isOver || pace !== undefined || socket.bufferedAmount > mostBufferedBytes) return;
    const texts = session?.compose({ bytes: largestAgentFrame, frames: burst.frames }) ?? [];
    for (const text of texts) socket.send(text, () => socket.bufferedAmount === 0 && speak());
    if (texts.length > 0)
      pace = setTimeout(
        () => {
          pace = undefined;
          speak();
        },
        (burst.everyMs * texts.length) / burst.frames,
      );
  };

  const hear = (frame: ApiFrame) => {
    if (frame.type === 'refused')
      return end({ cause: 'refused', code: frame.code, retryAfterSeconds: frame.retryAfterSeconds });
    if (session) return session.hear(frame);
    if (frame.type === 'challenge' && hello === null) {
      hello = makeHello(identity, frame.nonce);
      return socket.send(encodeFrame(hello));
    }
    // Before the API has proven itself, all other frames are ignored.
    if (frame.type !== 'welcome' || hello === null) return;
    if (!isProvenApi(frame.proof, hello, identity.secret)) return end({ cause: 'unproven' });
    clearTimeout(deadline);
    onWelcome?.();
    session = openSession({
      subjects,
      welcome: frame,
      onNews: speak,
      onAcknowledged() {
        wasAcknowledged = true;
        acknowledged.resolve();
      },
      onSilence: () => end({ cause: 'silent' }),
    });
    speak();
  };

  socket.on('message', (data) => {
    if (isOver) return;
    const frame = readFrame(String(data));
    if (frame === 'unknown') return;
    if (frame) hear(frame);
    else end({ cause: 'misunderstood', detail: 'a frame that is none of the protocol' });
  });
  socket.on('unexpected-response', (_request, response) => {
    void readBody(response).then((body) =>
      end(readProblem(response.statusCode ?? 0, body, response.headers['retry-after'])),
    );
  });
  socket.on('error', (error) => end(unreachableBy(error, url)));
  socket.on('close', (closeCode) => end({ cause: 'closed', closeCode }));
  return { acknowledged: acknowledged.promise, ended: ended.promise, close: () => end({ cause: 'stopped' }) };
};

const readBody = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length > problemBytes) break;
    }
  } catch {
    // The body was cut off: the status alone decides.
  }
  return text;
};

/** Interface document §8. */
const failuresUntilPolling = 3;

/** Keeps the agent connected: by WebSocket, or by polling while those do not get through. */
export const keepConnected = (
  options: Omit<ConnectionOptions, 'onWelcome'> & {
    readonly useWebSocket: boolean;
    /** Called with true for each connection that the API has acknowledged, and with false when it ends or cannot be made. */
    readonly onConnection: (isConnected: boolean) => void;
    /** After a sleep no connection is trusted, and the next try comes as soon as a first one. */
    readonly wakes?: WakeWatch | undefined;
    readonly log: Log;
  },
): AsyncDisposable => {
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
