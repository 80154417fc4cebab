import type { Report } from '../bench/harness/report.ts';

/** A bench's figures that compare with a baseline of the same run, by where its report has them. */
export type Ratios = Readonly<Record<string, number>>;

/** The names that reports give to rows and columns of such figures. */
const isRatio = (name: string): boolean => name === 'ratio' || name.startsWith('times ');
/** A single worst moment says more about the machine. */
const isWorst = (name: string): boolean => /\bworst\b/.test(name);
/** Of rates, more is better; of times, sizes and counts, less is. */
const isRate = (name: string): boolean => /\/s$|, ratio$|^in sets/.test(name);

/** How much of what was kept a ratio may lose: less may be the machine. */
const mostLoss = 1.5;

export const ratiosOf = ({ tables, aims }: Pick<Report, 'tables' | 'aims'>): Ratios => {
  const inTables = Object.entries(tables).flatMap(([caption, rows]) =>
    Object.entries(rows).flatMap(([row, figures]) =>
      Object.entries(figures)
        .filter(([column]) => isRatio(row) || isRatio(column))
        .map(([column, value]) => [`${caption}, ${row}, ${column}`, value] as const),
    ),
  );
  const ofAims = aims
    .filter(({ aim }) => /times|×|^>/.test(aim))
    .map(({ what, value }) => [what, value] as const);
  return Object.fromEntries(
    [...inTables, ...ofAims].filter(([name, value]) => Number.isFinite(value) && !isWorst(name)),
  );
};

/** The better ratio of two runs each: a busy machine makes some worse, none better. */
export const betterOf = (first: Ratios, second: Ratios): Ratios =>
  Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      const again = second[name] ?? value;
      return [name, isRate(name) ? Math.max(value, again) : Math.min(value, again)];
    }),
  );

/** The ratios that have become worse by half, a sentence each. */
export const lostRatios = (measured: Ratios, kept: Ratios): readonly string[] =>
  Object.entries(measured).flatMap(([name, value]) => {
    const before = kept[name];
    if (before === undefined) return [];
    const isLost = isRate(name) ? value * mostLoss < before : value > before * mostLoss;
    return isLost ? [`${name} is ${value.toFixed(2)}; it was ${before.toFixed(2)}`] : [];
  });
