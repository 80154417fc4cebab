import { leastKeptMs, type Times } from './stored-times.ts';

/** What tests of a tier may use of the processor each, in milliseconds. */
export const mostMs = { units: 1000, middle: 5000, night: 60_000 } as const;
export type Tier = keyof typeof mostMs;

export interface Measured {
  readonly file: string;
  readonly name: string;
  readonly ms: number;
  /** The part of it that other processes used, which the test started. */
  readonly startedMs: number;
  readonly tier: Tier;
}

/** What a machine does at different speeds: the work of tests themselves, and starting other programs. */
type Kind = 'own' | 'started';
const kindOf = ({ ms, startedMs }: Measured): Kind => (startedMs > ms / 2 ? 'started' : 'own');

/** A test counts as grown by half only if it has also grown by this: less may be the machine. */
const leastGrowthMs = { units: 500, middle: 1000, night: 5000 } as const;
/** What a test with a reason for its length may grow by: most start many programs, and neighbours on the machine slow those most. */
const reasonedGrowth = 3;
const growth = 1.5;
/** Compared with fewer tests, the speed of the machine would be a guess. */
const fewest = 20;

export type Slowness = Readonly<Record<Kind, number>>;

/**
 * How much slower this machine is in this run than where the times were kept, by kind of work: the median over the tests that took
 * long enough, and at least 1.
 */
export const slowness = (measured: readonly Measured[], kept: Times): Slowness => {
  const of = (kind: Kind): number => {
    const ratios = measured
      .filter((test) => kindOf(test) === kind)
      .flatMap(({ file, name, ms }) => {
        const before = kept[file]?.[name] ?? 0;
        return before < 2 * leastKeptMs ? [] : [ms / before];
      })
      .sort((a, b) => a - b);
    return ratios.length < fewest ? 1 : Math.max(1, ratios[Math.floor(ratios.length / 2)] ?? 1);
  };
  return { own: of('own'), started: of('started') };
};

export interface Refusal {
  readonly file: string;
  readonly name: string;
  /** What it would have been allowed on this machine in this run. */
  readonly allowedMs: number;
  /** Why, as a sentence continues after the test's name. */
  readonly why: string;
}

/**
 * The tests that use too much of the processor, on a machine as fast as that where times were kept: more than their tier allows, unless
 * `reasons` gives a reason, or half as much again as when their times were kept, with a reason three times as much.
 * @param reasons by `<file> > <name>`, or by file
 */
export const refusals = (
  measured: readonly Measured[],
  kept: Times,
  reasons: Readonly<Record<string, string>>,
): readonly Refusal[] => {
  const slower = slowness(measured, kept);
  return measured.flatMap((test) => {
    const { file, name, tier } = test;
    const factor = slower[kindOf(test)];
    const before = kept[file]?.[name];
    const hasReason = Object.hasOwn(reasons, file) || Object.hasOwn(reasons, `${file} > ${name}`);
    const limitMs = hasReason ? Number.POSITIVE_INFINITY : mostMs[tier];
    const grownMs =
      before === undefined
        ? Number.POSITIVE_INFINITY
        : Math.max(before * (hasReason ? reasonedGrowth : growth), before + leastGrowthMs[tier]);
    const allowedMs = Math.min(limitMs, grownMs) * factor;
    if (test.ms <= allowedMs) return [];
    const used = `uses ${Math.round(test.ms / factor)} ms of the processor`;
    const why = limitMs < grownMs ? `its tier allows ${limitMs} ms` : `it was ${before} ms`;
    return [{ file, name, allowedMs, why: `${used}; ${why}` }];
  });
};
