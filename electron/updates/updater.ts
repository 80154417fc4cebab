import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { patientRemoval } from '#runtime/busy-file.ts';
import type { InstallerFile, ReleaseManifest, ReleasePlatform } from '#runtime/release/release-manifest.ts';
import type { SignedRelease } from '#runtime/release/signed-release.ts';
import { compareVersions } from '#runtime/release/version-order.ts';
import { type Fetch, fetchInstaller, fetchRelease } from './fetch-release.ts';
import type { UpdateSource } from './update-source.ts';
import { asDiskTrouble, UpdateTroubleError } from './update-trouble.ts';

/** The newest release that was ever seen, so that no one can offer an older one again. */
interface NewestSeen {
  readonly version: string;
  readonly releasedAt: string;
}

export interface UpdateStanding {
  readonly installed: string;
  readonly newestSeen: NewestSeen | null;
  readonly platform: ReleasePlatform | null;
  readonly now: Date;
}

type ReleaseVerdict =
  | { readonly verdict: 'offer'; readonly file: InstallerFile }
  | { readonly verdict: 'current' }
  /** Older than one that was already seen. */
  | { readonly verdict: 'replayed' }
  /** The server withholds newer ones, or one of the clocks is wrong. */
  | { readonly verdict: 'expired' }
  /** A version in between must be installed first. */
  | { readonly verdict: 'too-far' }
  | { readonly verdict: 'not-for-this-system' };

export interface OfferedRelease {
  readonly release: SignedRelease;
  readonly file: InstallerFile;
}

export interface Updater {
  /** Null: there is nothing newer. @throws {UpdateTroubleError} */
  check(signal: AbortSignal): Promise<OfferedRelease | null>;
  /** Downloads the last offer. @returns the path of a file that is exactly what was signed @throws {UpdateTroubleError} */
  download(signal: AbortSignal, onProgress: (received: number) => void): Promise<string>;
}

/**
 * Finds what is newer from signed releases only, and downloads exactly what was signed. It does not install: see
 * installation.ts.
 */
export const createUpdater = ({
  source,
  folder,
  fetch,
  standing,
  onSeen,
}: {
  readonly source: UpdateSource;
  /** Holds what it downloads. */
  readonly folder: string;
  readonly fetch: Fetch;
  readonly standing: () => UpdateStanding;
  readonly onSeen: (release: SignedRelease) => Promise<void>;
}): Updater => {
  let offered: OfferedRelease | null = null;
  return {
    async check(signal) {
      const release = await fetchRelease(source, null, { fetch, signal });
      // Only now: while the server cannot be reached, the earlier offer stays.
      offered = null;
      const judged = judgeRelease(release.manifest, standing());
      if (judged.verdict !== 'offer' && judged.verdict !== 'current')
        throw new UpdateTroubleError(judged.verdict, verdictWords[judged.verdict]);
      await onSeen(release);
      offered = judged.verdict === 'offer' ? { release, file: judged.file } : null;
      return offered;
    },
    async download(signal, onProgress) {
      if (!offered) throw new Error('nothing was offered');
      const { release, file } = offered;
      const downloads = join(folder, 'download', 'pending');
      try {
        // What an interrupted download left.
        await rm(downloads, patientRemoval);
        await mkdir(downloads, { recursive: true, mode: 0o700 });
      } catch (error) {
        throw asDiskTrouble(error);
      }
      const path = join(downloads, file.name);
      const url = new URL(`${release.manifest.version}/${file.name}`, source.url).href;
      await fetchInstaller({ fetch, url, path, expected: file, onProgress, signal });
      return path;
    },
  };
};

const verdictWords = {
  replayed: 'The update server offers an older version than before.',
  expired: 'The information on the update server is out of date, or the clock of this machine is wrong.',
  'too-far': 'Install a version in between first.',
  'not-for-this-system': 'The newest version is not available for this system.',
} as const;

/** Whether to install a release with a valid signature; derived only from known facts. */
export const judgeRelease = (
  manifest: ReleaseManifest,
  { installed, newestSeen, platform, now }: UpdateStanding,
): ReleaseVerdict => {
  if (newestSeen && isOlder(manifest, newestSeen)) return { verdict: 'replayed' };
  if (Date.parse(manifest.expiresAt) <= now.getTime()) return { verdict: 'expired' };
  if (compareVersions(manifest.version, installed) <= 0) return { verdict: 'current' };
  if (compareVersions(manifest.follows, installed) > 0) return { verdict: 'too-far' };
  const file = manifest.files.find((candidate) => candidate.platform === platform);
  return file ? { verdict: 'offer', file } : { verdict: 'not-for-this-system' };
};

/** The same release may be signed again for a longer time, but neither version nor date may go back. */
const isOlder = (manifest: ReleaseManifest, seen: NewestSeen): boolean =>
  compareVersions(manifest.version, seen.version) < 0 ||
  Date.parse(manifest.releasedAt) < Date.parse(seen.releasedAt);
