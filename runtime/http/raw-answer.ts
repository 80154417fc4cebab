import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemContentType } from '#contracts/kernel/problems.ts';
import { type Problem, toProblemDocument } from '../problem.ts';

/** A problem document as the bytes of a whole HTTP answer, for sockets that have no response object. */
export const rawAnswer = (problem: Problem): string => {
  const body = JSON.stringify(toProblemDocument(problem, { requestId: randomUUID() }));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    'Connection: close',
    'Cache-Control: no-store',
    `Content-Type: ${problemContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
};

/** How long a peer may keep its side open after the answer. */
const lingerMs = 1000;

/** Answers on a socket that the HTTP server has released, and makes sure that the socket ends. */
export const answerRaw = (socket: Duplex, problem: Problem): void => {
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cut));
  // Whatever the peer still sends is read and dropped: left unread, it would cost the peer our answer.
  socket.resume();
  socket.end(rawAnswer(problem));
};
