import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { explainOutside } from '#runtime/outside/outside-failure.ts';
import { type InstallerFile, releaseFileName } from '#runtime/release/release-manifest.ts';
import { maxReleaseBytes } from '#runtime/release/signed-manifest.ts';
import { readSignedRelease, type SignedRelease } from '#runtime/release/signed-release.ts';
import type { UpdateSource } from './update-source.ts';
import { asDiskTrouble, UpdateTroubleError } from './update-trouble.ts';

/** Like `fetch`, through the system's proxies. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A small file that takes longer than this is not waited for. */
const deadlineMs = 60_000;
/** A server that is silent for this long is given up; a slow connection is not. */
const stallMs = 30_000;

const timedOut = () => new DOMException(`no answer for ${stallMs / 1000} s`, 'TimeoutError');

interface FetchOptions {
  readonly fetch: Fetch;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The body of an answer, piece by piece, never more than the limit. A redirect is refused: anyone who can redirect us would
 * learn who asks, and nothing of ours needs one.
 * @throws {UpdateTroubleError}
 */
async function* piecesOf(url: string, limit: number, options: FetchOptions): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), stallMs);
  const signal = options.signal ? AbortSignal.any([options.signal, stalled.signal]) : stalled.signal;
  try {
    const response = await options.fetch(url, { redirect: 'error', signal, cache: 'no-store' });
    if (!response.ok) {
      await response.body?.cancel();
      throw new UpdateTroubleError(
        'unreachable',
        `${new URL(url).host} did not send the file (HTTP ${response.status}).`,
      );
    }
    let length = 0;
    for await (const piece of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), stallMs);
      length += piece.length;
      if (length > limit) throw new UpdateTroubleError('damaged', 'The file is larger than it should be.');
      yield piece;
    }
  } catch (error) {
    if (error instanceof UpdateTroubleError) throw error;
    if (options.signal?.aborted) throw new UpdateTroubleError('cancelled', 'The download was cancelled.');
    const { text } = await explainOutside(stalled.signal.aborted ? timedOut() : error, new URL(url));
    throw new UpdateTroubleError('unreachable', text, error);
  } finally {
    clearTimeout(timer);
    // The rest of the answer is not waited for.
    stalled.abort();
  }
}

/** @throws {UpdateTroubleError} */
const fetchSmall = async (url: string, limit: number, options: FetchOptions): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(url, limit, options)) pieces.push(piece);
  return Buffer.concat(pieces);
};

/**
 * Asks the server for the newest release, or for that of a version.
 * @throws {UpdateTroubleError} when it is unavailable, or not signed with a key that we trust
 */
export const fetchRelease = async (
  source: UpdateSource,
  version: string | null,
  { signal, ...options }: FetchOptions,
): Promise<SignedRelease> => {
  const url = source.url + (version === null ? '' : `${version}/`) + releaseFileName;
  const deadline = AbortSignal.timeout(deadlineMs);
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const bytes = await fetchSmall(url, maxReleaseBytes, { ...options, signal: either }).catch(
    (error: unknown) => {
      if (deadline.aborted)
        throw new UpdateTroubleError('unreachable', `${new URL(url).host} did not answer in time.`, error);
      throw error;
    },
  );
  const reading = readSignedRelease(bytes, source.keys);
  if (reading.kind !== 'verified')
    throw new UpdateTroubleError(
      reading.kind,
      `The release on ${new URL(url).host} was refused: ${reading.detail}.`,
    );
  if (version !== null && reading.manifest.version !== version)
    throw new UpdateTroubleError('forged', `${new URL(url).host} offers another version than ${version}.`);
  return reading;
};

/** @throws {UpdateTroubleError} unless the file is there, flushed to disk, and matches the signed hash */
export const fetchInstaller = async ({
  url,
  path,
  expected,
  onProgress,
  ...options
}: FetchOptions & {
  readonly url: string;
  /** Where to write; nothing is left there when it fails. */
  readonly path: string;
  readonly expected: Pick<InstallerFile, 'size' | 'sha512'>;
  readonly onProgress: (received: number) => void;
}) => {
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
      throw new UpdateTroubleError('damaged', 'The downloaded file is not the one that was signed.');
    await file.sync();
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw asDiskTrouble(error);
  }
};
