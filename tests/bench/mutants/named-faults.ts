import type { Report } from '../harness/report.ts';
import { createComparison, UnusableTest } from './compare-tests.ts';
import { type NamedTest, testText } from './named-tests.ts';
import { isAt, type Mutant, mutantsIn, sampleOf } from './planted-faults.ts';
import type { Sandbox } from './sandbox.ts';

export interface NamedFaultsOptions {
  readonly count: number;
  readonly seed: number;
  readonly at: readonly string[];
  /** For a run of one test without a fault. */
  readonly limitMs: number;
  readonly plantedFiles: readonly string[];
  readonly say: (line: string) => void;
}

/** Faults that at least one of the tests reaches, and which of the tests catch each. */
export const compareNamedTests = async (
  sandbox: Sandbox,
  tests: readonly NamedTest[],
  { count, seed, at, limitMs, plantedFiles, say }: NamedFaultsOptions,
): Promise<Report> => {
  const comparison = createComparison(sandbox, limitMs, say);
  const asked = at.map((one) => one.replace(/:\d+$/, ''));
  const mutants = (await mutantsIn(asked.length > 0 ? [...new Set(asked)] : plantedFiles)).filter(
    (mutant) => at.length === 0 || isAt(mutant, at),
  );
  const sources = new Map(mutants.map(({ file, source }) => [file, source]));
  const findings: string[] = [];
  const usable = new Map<NamedTest, (mutant: Mutant) => boolean>();
  for (const test of tests) {
    try {
      const reaches = await comparison.reachOf(test, sources);
      usable.set(test, reaches);
      say(`${testText(test)} reaches ${mutants.filter(reaches).length} of ${mutants.length} faults`);
    } catch (error) {
      if (!(error instanceof UnusableTest)) throw error;
      findings.push(error.message);
      say(error.message);
    }
  }
  const reached = mutants.filter(
    (mutant) => !mutant.isSuspect && [...usable.values()].some((reaches) => reaches(mutant)),
  );
  const sample = sampleOf(reached, count, seed);
  const counts = new Map(
    [...usable.keys()].map((test) => [test, { caught: 0, passed: 0, 'not reached': 0 }]),
  );
  for (const [index, mutant] of sample.entries()) {
    const catchers: string[] = [];
    for (const [test, outcomes] of counts) {
      const outcome = await comparison.catches(test, mutant);
      outcomes[outcome] += 1;
      if (outcome === 'caught') catchers.push(testText(test));
    }
    const line = `${mutant.file}:${mutant.line}  ${mutant.change}`;
    say(`${index + 1}/${sample.length} ${line}  (caught by ${catchers.join(', ') || 'none'})`);
    if (catchers.length === 0) findings.push(`caught by none: ${line}`);
  }
  return {
    title: `${sample.length} of ${reached.length} reached faults (seed ${seed})`,
    tables: { Faults: Object.fromEntries([...counts].map(([test, row]) => [testText(test), row])) },
    findings,
    aims: [],
  };
};
