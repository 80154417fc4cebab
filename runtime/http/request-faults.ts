import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Problem } from '../problem.ts';
import { answerRaw } from './raw-answer.ts';

/** An answer that precedes any other, such as the license gate's verdict; null when there is none. */
export type Refusal = () => Problem | null;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers what never becomes a request: bytes that are not HTTP, requests that do not arrive in time, CONNECT. A connection that
 * has asked nothing, or whose request already has its answer, is closed without a word: the client would take it for the answer
 * to its next request.
 */
export const answerFaults = (server: Server, refusal: Refusal): void => {
  const latest = new WeakMap<Socket, Exchange>();
  const failed = new WeakSet<Socket>();
  /** Waits its turn: an earlier request may still wait for its own answer. */
  const answerBehind = (socket: Socket, problem: Problem) => {
    const answer = () => answerRaw(socket, refusal() ?? problem);
    const { response } = latest.get(socket) ?? {};
    if (!response || response.writableFinished) answer();
    else response.once('close', () => socket.writable && answer());
  };

  server.prependListener('request', (request, response) => latest.set(request.socket, { request, response }));
  // 100-continue is the only expectation that HTTP knows; any other may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));

  server.on('connect', (_request, duplex) => {
    const socket = duplex as Socket;
    socket.on('error', () => socket.destroy());
    answerBehind(socket, new Problem('NOT_FOUND', { detail: 'Nothing is upgraded here.' }));
  });

  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // A peer that keeps sending is answered once.
    if (failed.has(socket)) return;
    failed.add(socket);
    const fault = faultOf(error);
    if (!fault || !socket.writable || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const { request, response } = latest.get(socket) ?? {};
    // Without a next request, the body of this one failed.
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
