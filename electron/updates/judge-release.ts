import type { InstallerFile, ReleaseManifest, ReleasePlatform } from '#runtime/release/release-manifest.ts';
import { compareVersions } from '#runtime/release/version-order.ts';

/** The newest release that was ever seen, so that no one can offer an older one again. */
export interface NewestSeen {
  readonly version: string;
  readonly releasedAt: string;
}

export interface UpdateStanding {
  readonly installed: string;
  readonly newestSeen: NewestSeen | null;
  readonly platform: ReleasePlatform | null;
  readonly now: Date;
}

export type ReleaseVerdict =
  | { readonly verdict: 'offer'; readonly file: InstallerFile }
  | { readonly verdict: 'current' }
  /** Older than one that was already seen. */
  | { readonly verdict: 'replayed' }
  /** The server withholds newer ones, or one of the clocks is wrong. */
  | { readonly verdict: 'expired' }
  /** A version in between must be installed first. */
  | { readonly verdict: 'too-far' }
  | { readonly verdict: 'not-for-this-system' };

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
