import { leastKeptMs, type Times } from './kept-times.ts';

/** What tests of a tier may use of the processor each, in milliseconds. */
export const mostMs = { units: 1000, middle: 5000, night: 60_000 } as const;
export type Tier = keyof typeof mostMs;

export interface Measured {
  readonly file: string;
  readonly name: string;
  readonly ms: number;
  readonly tier: Tier;
}

/** A test counts as grown by half only if it has also grown by this: less may be the machine. */
const leastGrowthMs = 500;
/** Compared with fewer tests, the speed of the machine would be a guess. */
const fewest = 20;

/** How much slower this machine is in this run than where the times were kept: the median over the tests that took long enough. */
export const slowness = (measured: readonly Measured[], kept: Times): number => {
  const ratios = measured
    .flatMap(({ file, name, ms }) => {
      const before = kept[file]?.[name] ?? 0;
      return before < 2 * leastKeptMs ? [] : [ms / before];
    })
    .sort((a, b) => a - b);
  return ratios.length < fewest ? 1 : (ratios[Math.floor(ratios.length / 2)] ?? 1);
};

export interface Refusal extends Measured {
  /** Why, as a sentence continues after the test's name. */
  readonly why: string;
}

/**
 * The tests that use too much of the processor: more than their tier allows, unless `reasons` gives a reason, or half as much again
 * as when their times were kept. Both are measured on a machine as fast as that one.
 * @param reasons by `<file> > <name>`, or by file
 */
export const refusals = (
  measured: readonly Measured[],
  kept: Times,
  reasons: Readonly<Record<string, string>>,
): readonly Refusal[] => {
  const factor = Math.max(1, slowness(measured, kept));
  return measured.flatMap((test) => {
    const { file, name, tier } = test;
    const ms = Math.round(test.ms / factor);
    const before = kept[file]?.[name];
    const isExcused = Object.hasOwn(reasons, file) || Object.hasOwn(reasons, `${file} > ${name}`);
    if (ms > mostMs[tier] && !isExcused)
      return [{ ...test, why: `uses ${ms} ms of the processor; its tier allows ${mostMs[tier]} ms` }];
    if (before !== undefined && ms > before * 1.5 && ms - before > leastGrowthMs)
      return [{ ...test, why: `uses ${ms} ms of the processor; it was ${before} ms` }];
    return [];
  });
};
