import type { IncomingMessage } from 'node:http';
import { TextDecoder } from 'node:util';
import type { RequestHandler } from 'express';
import { parseStorableJson } from '#contracts/kernel/storable-text.ts';
import { Problem } from '../problem.ts';

const mediaType = 'application/json';

/** Parameters are allowed, but a `charset` only when it is UTF-8, the only one that JSON permits (RFC 8259). */
const isJson = (contentType: string): boolean => {
  if (contentType === mediaType) return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const charsets = parameters.filter((parameter) => /^\s*charset\s*=/.test(parameter));
  return type.trim() === mediaType && charsets.every((charset) => /=\s*"?utf-?8"?\s*$/.test(charset));
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Accepts a JSON body of at most `limit` bytes; anything else is a 400, 413 or 415. */
export const readJsonBody = (limit: number, parse: typeof parseJson = parseJson): RequestHandler =>
  readBody(limit, parse);

/** The same, but keeps the raw bytes. @param type content type of a body that is not JSON */
export const readRawBody = (limit: number, type?: string): RequestHandler =>
  readBody(limit, (bytes) => bytes, type);

const readBody =
  (limit: number, take: (bytes: Buffer) => unknown, type?: string): RequestHandler =>
  (request, _response, next) => {
    const fault = headerFault(request, limit, type);
    if (fault) return next(fault);
    collectBody(request, limit)
      .then((bytes) => {
        request.body = take(bytes);
      })
      .then(() => next(), next);
  };

const tooLarge = (limit: number): Problem =>
  new Problem('PAYLOAD_TOO_LARGE', { detail: `At most ${limit} bytes are taken.` });

const headerFault = ({ headers }: IncomingMessage, limit: number, type?: string): Problem | null => {
  const shown = headers['content-type'] ?? '';
  if (type === undefined ? !isJson(shown) : shown !== type) return new Problem('UNSUPPORTED_MEDIA_TYPE');
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return new Problem('UNSUPPORTED_MEDIA_TYPE', { detail: 'Send plain, uncompressed UTF-8.' });
  return Number(headers['content-length'] ?? 0) > limit ? tooLarge(limit) : null;
};

/**
 * Not with `for await`: leaving such a loop early closes the connection, and the answer would never arrive.
 * @throws {Problem} 413 when there are more bytes, 400 when they end early
 */
export const collectBody = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else reject(tooLarge(limit));
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', (cause) => reject(new Problem('INVALID_REQUEST', { cause })));
  });

/** @throws {Problem} when it is not JSON in UTF-8 */
export const parseJson = (bytes: Uint8Array): unknown => parseBy(JSON.parse, bytes);

/** The same of what a program reports, and would not correct: what cannot be stored becomes U+FFFD. */
export const parseReportedJson = (bytes: Uint8Array): unknown => parseBy(parseStorableJson, bytes);

const parseBy = (parse: (text: string) => unknown, bytes: Uint8Array): unknown => {
  try {
    return parse(utf8.decode(bytes));
  } catch (error) {
    // Bytes that are not UTF-8, text that is not JSON, or nesting deeper than our stack.
    throw new Problem('INVALID_REQUEST', { detail: 'The body is not valid JSON.', cause: error });
  }
};
