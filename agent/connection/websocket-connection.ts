import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import {
  type ApiFrame,
  agentSocketPath,
  type HelloFrame,
  largestAgentFrame,
} from '#contracts/servers/agent-protocol.ts';
import { connectTrusted, tunnelTo } from './api-transport.ts';
import { addressBelow, type Connection, type ConnectionOptions } from './connection.ts';
import type { ConnectionEnd, EndedConnection } from './connection-verdict.ts';
import { encodeFrame } from './outbox.ts';
import { readProblem, unreachableBy } from './problem-answer.ts';
import { isProvenApi, makeHello } from './proof.ts';
import { readFrame } from './read-frame.ts';
import { openSession, type Session } from './session.ts';

/** The most that may wait in the socket; a slower API gets nothing more until it has read it. */
const mostBufferedBytes = 1024 * 1024;
/** The API accepts 1000 frames in 10 s. */
const burst = { frames: 50, everyMs: 600 };
const problemBytes = 64 * 1024;

export const openWebSocketConnection = (options: ConnectionOptions): Connection => {
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
