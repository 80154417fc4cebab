import type { SourceVersion } from '../sources/mod-source.ts';
import { newestFirst } from '../sources/target-fit.ts';

/**
 * The version that an install or update takes when none was chosen: the newest release; a beta only where there is no
 * release, an alpha only where there is nothing else. Null: nothing fits.
 * @param versions that fit
 */
export const newestOf = (versions: readonly SourceVersion[]): SourceVersion | null => {
  const sorted = versions.toSorted(newestFirst);
  const ofChannel = (channel: SourceVersion['channel']) => sorted.find((one) => one.channel === channel);
  return ofChannel('release') ?? ofChannel('beta') ?? ofChannel('alpha') ?? null;
};

/**
 * The version to update to; null: none. A beta newer than the newest release is kept.
 * @param installed null: the source no longer knows it
 */
export const updateOf = (
  installedId: string | null,
  installed: SourceVersion | null,
  versions: readonly SourceVersion[],
): SourceVersion | null => {
  const newest = newestOf(versions);
  if (!newest || newest.id === installedId) return null;
  const stillFits = installed && versions.some(({ id }) => id === installed.id);
  return stillFits && newestFirst(installed, newest) < 0 ? null : newest;
};
