import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { InstallerFile } from '#runtime/release/release-manifest.ts';
import { UpdateTroubleError } from './update-trouble.ts';

/** As `fetch`, over the system's proxies. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A server that says nothing for so long is given up; a slow line is not. */
const stallMs = 30_000;

export interface FetchOptions {
  readonly fetch: Fetch;
  readonly signal?: AbortSignal | undefined;
  readonly stallMs?: number;
}

/**
 * The body of an answer, piece by piece, never more than was agreed on. A redirect is refused: whoever can send us
 * elsewhere would learn who asks, and nothing of ours needs one.
 * @throws {UpdateTroubleError}
 */
async function* piecesOf(url: string, limit: number, options: FetchOptions): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const wait = options.stallMs ?? stallMs;
  let timer = setTimeout(() => stalled.abort(), wait);
  const signal = options.signal ? AbortSignal.any([options.signal, stalled.signal]) : stalled.signal;
  try {
    const response = await options.fetch(url, { redirect: 'error', signal, cache: 'no-store' });
    if (!response.ok) {
      await response.body?.cancel();
      throw new UpdateTroubleError('unreachable', `${new URL(url).host} answers ${response.status}.`);
    }
    let length = 0;
    for await (const piece of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), wait);
      length += piece.length;
      if (length > limit) throw new UpdateTroubleError('damaged', 'It is larger than it should be.');
      yield piece;
    }
  } catch (error) {
    if (error instanceof UpdateTroubleError) throw error;
    if (options.signal?.aborted) throw new UpdateTroubleError('cancelled', 'It was called off.');
    const why = stalled.signal.aborted ? `no answer for ${wait / 1000} s` : (error as Error).message;
    throw new UpdateTroubleError('unreachable', `${new URL(url).host} cannot be reached: ${why}.`, error);
  } finally {
    clearTimeout(timer);
    // What is left of the answer is not waited for.
    stalled.abort();
  }
}

/** @throws {UpdateTroubleError} */
export const fetchSmall = async (url: string, limit: number, options: FetchOptions): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(url, limit, options)) pieces.push(piece);
  return Buffer.concat(pieces);
};

export interface InstallerDownload extends FetchOptions {
  readonly url: string;
  /** Where to; nothing is left there when it fails. */
  readonly path: string;
  readonly expected: Pick<InstallerFile, 'size' | 'sha512'>;
  readonly onProgress: (received: number) => void;
}

/** @throws {UpdateTroubleError} unless the file is there, on the disk, exactly as it was signed */
export const fetchInstaller = async ({ url, path, expected, onProgress, ...options }: InstallerDownload) => {
  const hash = createHash('sha512');
  let received = 0;
  try {
    await using file = await open(path, 'w', 0o600);
    for await (const piece of piecesOf(url, expected.size, options)) {
      hash.update(piece);
      await file.write(piece);
      received += piece.length;
      onProgress(received);
    }
    if (received !== expected.size || hash.digest('base64') !== expected.sha512)
      throw new UpdateTroubleError('damaged', 'What was downloaded is not what was signed.');
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw asTrouble(error);
  }
};

const asTrouble = (error: unknown): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new UpdateTroubleError('disk', 'The disk is full.', error);
  return code === undefined || error instanceof UpdateTroubleError
    ? error
    : new UpdateTroubleError('disk', (error as Error).message, error);
};
