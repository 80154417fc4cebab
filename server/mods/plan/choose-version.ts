import type { SourceVersion } from '../sources/mod-source.ts';
import { newestFirst } from '../sources/target-fit.ts';
import { compareVersions } from './version-number.ts';

/**
 * The version that an install takes when none was chosen: the newest release; a beta only where there is no release, an alpha only
 * where there is nothing else. Null: nothing fits.
 * @param versions that fit
 */
export const newestOf = (versions: readonly SourceVersion[]): SourceVersion | null => {
  const sorted = versions.toSorted(newestFirst);
  const ofChannel = (channel: SourceVersion['channel']) => sorted.find((one) => one.channel === channel);
  return ofChannel('release') ?? ofChannel('beta') ?? ofChannel('alpha') ?? null;
};

const channels: readonly SourceVersion['channel'][] = ['release', 'beta', 'alpha'];

/**
 * The version to update to; null: none. Worlds cannot go back with their mods: what is newer by its date alone, such as a fix for an
 * older line, is no update (modrinth/code#2660).
 * @param installed null: the source no longer knows it
 * @param installedName what is known of it then
 */
export const updateOf = (
  installedId: string | null,
  installed: SourceVersion | null,
  versions: readonly SourceVersion[],
  installedName: string | null = null,
): SourceVersion | null => {
  const newest = newestOf(versions);
  if (!newest || newest.id === installedId) return null;
  const most = Math.max(
    channels.indexOf(newest.channel),
    installed === null ? 0 : channels.indexOf(installed.channel),
  );
  const fits = versions.some(({ id }) => id === installedId);
  const ahead = versions.filter(
    (one) =>
      one.id !== installedId &&
      channels.indexOf(one.channel) <= most &&
      isAhead(one, { installed, installedName, fits }),
  );
  return newestOf(ahead);
};

interface Present {
  readonly installed: SourceVersion | null;
  readonly installedName: string | null;
  /** It is made for this server. */
  readonly fits: boolean;
}

const isAhead = (version: SourceVersion, { installed, installedName, fits }: Present): boolean => {
  const order = orderOf(version, installed, installedName);
  if (order !== null && order < 0) return false;
  // The same or a later one, made for this server.
  if (installed === null || (!fits && order !== null)) return true;
  if (newestFirst(installed, version) < 0) return false;
  // Published once more, for another loader.
  return order !== 0 || version.loaders.some((loader) => installed.loaders.includes(loader));
};

/** A game that downloads by mod id gets the newest one, whatever it is called. */
const orderOf = (
  version: SourceVersion,
  installed: SourceVersion | null,
  installedName: string | null,
): number | null =>
  version.form === 'id'
    ? null
    : compareVersions(version, installed ?? { name: installedName ?? '', gameVersions: [] });

/** Whether putting this version in place of the installed one goes back. */
export const goesBack = (version: SourceVersion, installed: SourceVersion): boolean => {
  const order = compareVersions(version, installed);
  return order === null || order === 0 ? newestFirst(installed, version) < 0 : order < 0;
};

/**
 * The newest version for this server where it is no update, because the installed one belongs to another line: it was made for another
 * game version or loader, or its number is higher. Null: there is none, or the installed one is simply the newest.
 */
export const otherLineOf = (
  installedId: string | null,
  installed: SourceVersion | null,
  versions: readonly SourceVersion[],
  installedName: string | null = null,
): SourceVersion | null => {
  const newest = newestOf(versions);
  if (!newest || newest.id === installedId) return null;
  if (updateOf(installedId, installed, versions, installedName) !== null) return null;
  if (!versions.some(({ id }) => id === installedId)) return newest;
  const isNewer = installed === null || newestFirst(installed, newest) > 0;
  return isNewer && orderOf(newest, installed, installedName) !== 0 ? newest : null;
};
