import type { SourceVersion } from '../sources/mod-source.ts';
import { newestFirst } from '../sources/target-fit.ts';

type Named = Pick<SourceVersion, 'name' | 'gameVersions'>;

const loaderNames = /(?:neo|lite|mine)?forge|fabric|quilt|paper|spigot|bukkit|folia|velocity|purpur/gi;
/** `mc1.20.4`, `1.20.x`, `[1.20.1]`: what it is made for, and not its own number. */
const gameNumber = /(?<![\d.])(?<mark>mc|minecraft)?[-_ ]?(?<number>\d+\.\d+(?:\.(?:\d+|x))?)(?![\d.])/gi;
const early =
  /[-+._ ]?(?:(?<stage>alpha|beta|pre|rc|snapshot|dev)[-. ]?(?<count>\d+)?|(?<![a-z])(?<short>[abm])(?<number>\d+)(?![\d.]))/i;
const stages = ['dev', 'snapshot', 'alpha', 'beta', 'pre', 'rc'];
const shortStages: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'pre' };
/** `0.5.1.f`, `2.4.0a`: a letter counts on. */
const countingLetter = /^\.?(?<letter>[a-z])(?![a-z\d])/i;

interface Parsed {
  readonly numbers: readonly number[];
  /** Null: none, and so later than any. */
  readonly stage: readonly [stage: number, count: number] | null;
}

/**
 * Which of two versions of one project is higher by its number; null: their names do not tell. Authors write them freely:
 * `mc1.20.1-0.5.8`, `0.5.8+mc1.20.4`, `jei-1.20.1-forge-15.3.0.4.jar`, `v2.1.0-beta.3`.
 */
const compareVersions = (one: Named, other: Named): number | null => {
  const [a, b] = [parse(one), parse(other)];
  if (a === null || b === null) return null;
  for (let at = 0; at < Math.max(a.numbers.length, b.numbers.length); at += 1) {
    const difference = (a.numbers[at] ?? 0) - (b.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.stage === null || b.stage === null) return Number(a.stage === null) - Number(b.stage === null);
  return a.stage[0] - b.stage[0] || a.stage[1] - b.stage[1];
};

const parse = ({ name, gameVersions }: Named): Parsed | null => {
  const text = name.replace(/\.(?:jar|zip|mrpack)$/i, '').slice(0, 100);
  const own = text
    .replaceAll(loaderNames, ' ')
    .replaceAll(gameNumber, (whole, mark: string | undefined, number: string) =>
      mark !== undefined || isOfGame(number, gameVersions) ? ' ' : whole,
    );
  return numberIn(own) ?? numberIn(text);
};

/** The game's version itself, or its start: `1.20` in front of a version for 1.20.1. */
const isOfGame = (number: string, gameVersions: readonly string[]): boolean => {
  const start = number.replace(/\.x$/i, '');
  return gameVersions.some(
    (game) => game === start || game.startsWith(`${start}.`) || number === `${game}.0`,
  );
};

const numberIn = (text: string): Parsed | null => {
  const dotted = [...text.matchAll(/\d+(?:\.\d+)+/g)];
  const plain = [...text.matchAll(/\d+/g)];
  const found = dotted[0] ?? (plain.length === 1 ? plain[0] : undefined);
  if (found === undefined) return null;
  const behind = text.slice(found.index + found[0].length);
  const letter = countingLetter.exec(behind)?.groups?.letter?.toLowerCase();
  const { stage, count, short, number } = early.exec(behind)?.groups ?? {};
  const named = stage?.toLowerCase() ?? shortStages[short?.toLowerCase() ?? ''];
  return {
    numbers: [
      ...found[0].split('.').map(Number),
      ...(letter === undefined ? [] : [letter.charCodeAt(0) - 96]),
    ],
    stage: named === undefined ? null : [stages.indexOf(named), Number(count ?? number ?? 0)],
  };
};

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

const isAhead = (
  version: SourceVersion,
  {
    installed,
    installedName,
    fits,
  }: {
    readonly installed: SourceVersion | null;
    readonly installedName: string | null;
    /** It is made for this server. */
    readonly fits: boolean;
  },
): boolean => {
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
