import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { StoredProgram } from './agent-programs.ts';

/** Skips the first bytes, passes on the given number, and ends. */
const slice = (skip: number, length: number): Transform => {
  let toSkip = skip;
  let left = length;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const kept = chunk.subarray(Math.min(toSkip, chunk.length));
      toSkip -= chunk.length - kept.length;
      const sent = kept.subarray(0, Math.min(left, kept.length));
      left -= sent.length;
      if (sent.length > 0) this.push(sent);
      if (left === 0 && length > 0) this.push(null);
      done();
    },
  });
};

interface Part {
  readonly start: number;
  readonly end: number;
}

/** The requested part: null for the whole, and if several are requested or they make no sense; `none` when there is no such part. */
const wantedPart = ({ req }: Response, etag: string, bytes: number): Part | 'none' | null => {
  const condition = req.get('If-Range');
  if (condition !== undefined && condition !== etag) return null;
  const ranges = req.range(bytes, { combine: true });
  if (ranges === -1) return 'none';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
};

/**
 * Answers with the program, the requested part of it, or that nothing has changed. A HEAD request reads nothing.
 * @returns whether the whole of it was sent
 */
export const sendProgram = async (response: Response, program: StoredProgram): Promise<boolean> => {
  const { file, bytes, sha256 } = program;
  const etag = `"${sha256.slice(0, 32)}"`;
  response.attachment(file).set({
    'Content-Type': 'application/octet-stream',
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ETag: etag,
    // Proxies on the way must not alter the file.
    'Cache-Control': 'no-cache, no-transform',
  });
  if (response.req.get('If-None-Match')?.split(/,\s*/).includes(etag)) {
    response.status(304).end();
    return false;
  }
  const part = wantedPart(response, etag, bytes);
  if (part === 'none') {
    response.status(416).set('Content-Range', `bytes */${bytes}`).end();
    return false;
  }
  const { start, end } = part ?? { start: 0, end: bytes - 1 };
  if (part) response.status(206).set('Content-Range', `bytes ${start}-${end}/${bytes}`);
  response.set('Content-Length', String(end - start + 1));
  if (response.req.method === 'HEAD') {
    response.end();
    return false;
  }
  const { content, skip } = program.open(start, end);
  try {
    await pipeline([...content, slice(skip, end - start + 1), response]);
    return start === 0 && end === bytes - 1;
  } catch (error) {
    // The client left before the end: nothing is wrong here.
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return false;
    throw error;
  }
};
