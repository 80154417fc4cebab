import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { problemContentType } from '#contracts/problems.ts';
import { type Problem, toProblemDocument } from '#runtime/problem.ts';

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
