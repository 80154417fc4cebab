import { releaseFileName } from '#runtime/release/release-manifest.ts';
import { maxReleaseBytes } from '#runtime/release/signed-manifest.ts';
import { readSignedRelease, type SignedRelease } from '#runtime/release/signed-release.ts';
import { type FetchOptions, fetchSmall } from './fetch-file.ts';
import type { UpdateSource } from './update-source.ts';
import { UpdateTroubleError } from './update-trouble.ts';

/** A small file that takes longer than this is not waited for. */
const deadlineMs = 60_000;

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
