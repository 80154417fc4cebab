import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problem.ts';
import { answerRaw } from './raw-answer.ts';

/** What comes before any other answer, such as the license gate's verdict; null when there is nothing. */
export type Refusal = () => Problem | null;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers what never becomes a request: bytes that are no HTTP, requests that do not arrive in time, CONNECT. A
 * connection that asked nothing, or whose request has its answer already, is closed without a word: a client would take
 * the words for the answer to its next request.
 */
export const answerFaults = (server: Server, refusal: Refusal): void => {
  const latest = new WeakMap<Socket, Exchange>();
  const failed = new WeakSet<Socket>();
  /** In its turn: a request before it may still wait for its own answer. */
  const answerBehind = (socket: Socket, problem: Problem) => {
    const answer = () => answerRaw(socket, refusal() ?? problem);
    const { response } = latest.get(socket) ?? {};
    if (!response || response.writableFinished) answer();
    else response.once('close', () => socket.writable && answer());
  };

  server.prependListener('request', (request, response) => latest.set(request.socket, { request, response }));
  // The only expectation that HTTP knows is 100-continue; another one may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  server.on('connect', (_request, duplex) => {
    const socket = duplex as Socket;
    socket.on('error', () => socket.destroy());
    answerBehind(socket, new Problem('NOT_FOUND', { detail: 'Nothing is upgraded here.' }));
  });

  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // A peer that sends on is told once.
    if (failed.has(socket)) return;
    failed.add(socket);
    const fault = faultOf(error);
    if (!fault || !socket.writable || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const { request, response } = latest.get(socket) ?? {};
    // Without a next request, the body of this one is what failed.
    if (!request || request.complete) answerBehind(socket, fault);
    else if (response?.headersSent) socket.destroy();
    else answerRaw(socket, refusal() ?? fault);
  });
};

const faultOf = ({ code = '' }: NodeJS.ErrnoException): Problem | null => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('HEADERS_TOO_LARGE');
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new Problem('PAYLOAD_TOO_LARGE');
  return code.startsWith('HPE_') ? new Problem('INVALID_REQUEST', { detail: 'This is not HTTP.' }) : null;
};
