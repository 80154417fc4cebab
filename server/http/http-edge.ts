import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '#runtime/problem.ts';
import { answerRaw, rawAnswer } from './raw-answer.ts';

/**
 * What Node's server would otherwise answer by itself, past the application and so past the license gate: upgrades,
 * CONNECT, and expectations other than 100-continue.
 * @param refusal the license gate's verdict, which comes before any other answer
 */
export const guardHttpEdge = (
  server: Server,
  handler: RequestListener,
  refusal: () => Problem | null,
): void => {
  const refuse = (_request: IncomingMessage, socket: Duplex) => {
    // The peer may be gone already; there is nobody left to tell then.
    socket.on('error', () => socket.destroy());
    answerRaw(socket, refusal() ?? new Problem('NOT_FOUND', { detail: 'Nothing is upgraded here.' }));
  };
  server.on('upgrade', refuse);
  server.on('connect', refuse);
  server.on('checkExpectation', handler);
};

/** The answer to bytes that are no HTTP request at all. */
export const answerUnreadable = (refusal: () => Problem | null) => (): string =>
  rawAnswer(refusal() ?? new Problem('INVALID_REQUEST', { detail: 'This is not HTTP.' }));
