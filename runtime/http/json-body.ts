import express, { type RequestHandler } from 'express';
import { Problem } from '../problem.ts';

/** Postgres cannot keep NUL in a text, and no name or message holds one. */
const holdsNul = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.includes('\0') || holdsNul(inner));
};

/** Takes a JSON body of at most `limit` bytes; anything else is a 400, 413 or 415. */
export const readJsonBody = (limit: number): RequestHandler => {
  const parse = express.json({ limit, type: 'application/json', inflate: false });
  return (request, response, next) => {
    if (!request.is('application/json')) throw new Problem('UNSUPPORTED_MEDIA_TYPE');
    parse(request, response, (error?: unknown) => {
      if (error) return next(bodyProblem(error, limit));
      if (holdsNul(request.body))
        return next(new Problem('INVALID_REQUEST', { detail: 'NUL characters are not taken.' }));
      next();
    });
  };
};

const bodyProblem = (error: unknown, limit: number): unknown => {
  const { status, type } = error as { status?: number; type?: string };
  if (status === 413)
    return new Problem('PAYLOAD_TOO_LARGE', { detail: `At most ${limit} bytes are taken.` });
  if (status === 415)
    return new Problem('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send plain, uncompressed UTF-8.' });
  if (type === 'request.aborted' || status === 400)
    return new Problem('INVALID_REQUEST', { detail: 'The body is not valid JSON.', cause: error });
  return error;
};
