/** For an even count, the mean of the two middle values. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return Number.isInteger(middle) ? (low + (sorted[middle] ?? Number.NaN)) / 2 : low;
};

type Figures = Readonly<Record<string, number>>;

/**
 * Runs the subjects in turn, round after round, so that other load on the machine affects all of them, and takes each
 * figure's median over the rounds.
 */
export const alternate = async <Name extends string>(
  subjects: Readonly<Record<Name, (round: number) => Promise<Figures>>>,
  rounds: number,
  say: (line: string) => void,
): Promise<Record<Name, Figures>> => {
  const names = Object.keys(subjects) as Name[];
  const measured = new Map<Name, Figures[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      say(`round ${round + 1} of ${rounds}: ${name}`);
      measured.get(name)?.push(await subjects[name](round));
    }
  }
  return Object.fromEntries(names.map((name) => [name, medianFigures(measured.get(name) ?? [])])) as Record<
    Name,
    Figures
  >;
};

const medianFigures = (rounds: readonly Figures[]): Figures =>
  Object.fromEntries(
    Object.keys(rounds[0] ?? {}).map((figure) => [
      figure,
      median(rounds.map((round) => round[figure] ?? Number.NaN)),
    ]),
  );

/**
 * How often a value of `first` is smaller than one of `second`, ties counted half: 0.5 when they cannot be told apart,
 * 0 or 1 when they never overlap.
 */
export const shareSmaller = (first: readonly number[], second: readonly number[]): number => {
  const sorted = [...second].sort((a, b) => a - b);
  const below = (value: number, ties: boolean): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const found = sorted[middle] ?? Number.NaN;
      if (found < value || (ties && found === value)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const larger = first.map((value) => sorted.length - (below(value, false) + below(value, true)) / 2);
  return larger.reduce((sum, count) => sum + count, 0) / (first.length * second.length);
};
