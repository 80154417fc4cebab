import type { SourceVersion } from '../sources/mod-source.ts';
import { newestFirst } from '../sources/target-fit.ts';

/**
 * What an installation or an update without a wish for a version takes: the newest release; a beta only where there is no release,
 * an alpha only where there is nothing else. Null: nothing fits.
 * @param versions that fit
 */
export const newestOf = (versions: readonly SourceVersion[]): SourceVersion | null => {
  const sorted = versions.toSorted(newestFirst);
  const ofChannel = (channel: SourceVersion['channel']) => sorted.find((one) => one.channel === channel);
  return ofChannel('release') ?? ofChannel('beta') ?? ofChannel('alpha') ?? null;
};

/**
 * What there is to update to; null: nothing. Who has a beta that is newer than the newest release keeps it.
 * @param installed null: the source does not know it any more
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
