import type { SourceVersion } from '../sources/mod-source.ts';

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
export const compareVersions = (one: Named, other: Named): number | null => {
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
