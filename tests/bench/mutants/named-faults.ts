import type { Report } from '../harness/report.ts';
import { createComparison } from './compare-tests.ts';
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
  const reachedBy: ((mutant: Mutant) => boolean)[] = [];
  for (const test of tests) {
    const reaches = await comparison.reachOf(test, sources);
    reachedBy.push(reaches);
    say(`${testText(test)} reaches ${mutants.filter(reaches).length} of ${mutants.length} faults`);
  }
  const reached = mutants.filter(
    (mutant) => !mutant.isSuspect && reachedBy.some((reaches) => reaches(mutant)),
  );
  const sample = sampleOf(reached, count, seed);
  const counts = new Map(tests.map((test) => [testText(test), { caught: 0, passed: 0, 'not reached': 0 }]));
  const findings: string[] = [];
  for (const [index, mutant] of sample.entries()) {
    const catchers: string[] = [];
    for (const [name, count] of counts) {
      const test = tests.find((one) => testText(one) === name) as NamedTest;
      const outcome = await comparison.catches(test, mutant);
      count[outcome] += 1;
      if (outcome === 'caught') catchers.push(name);
    }
    const line = `${mutant.file}:${mutant.line}  ${mutant.change}`;
    say(`${index + 1}/${sample.length} ${line}  (caught by ${catchers.join(', ') || 'none'})`);
    if (catchers.length === 0) findings.push(`caught by none: ${line}`);
  }
  return {
    title: `${sample.length} of ${reached.length} reached faults (seed ${seed})`,
    tables: { Faults: Object.fromEntries(counts) },
    findings,
    aims: [],
  };
};
