import { performance } from 'node:perf_hooks';
import { type NamedTest, testText } from './named-tests.ts';
import { type Mutant, mutatedSource } from './planted-faults.ts';
import { measureReach } from './reach.ts';
import type { Sandbox } from './sandbox.ts';

export type Catch = 'caught' | 'passed' | 'not reached';

/** A test that shows nothing about faults. */
export class UnusableTest extends Error {}

export interface Comparison {
  /** Runs the test without a fault. @throws {UnusableTest} when it does not pass */
  demandPass(test: NamedTest): Promise<void>;
  /** Runs the test on probed files. @throws {UnusableTest} when it does not pass */
  reachOf(test: NamedTest, files: ReadonlyMap<string, string>): Promise<(mutant: Mutant) => boolean>;
  /** Runs the test with the fault, if it reaches it. The same pair is run once. */
  catches(test: NamedTest, mutant: Mutant): Promise<Catch>;
}

/** A fault may slow a test down; from this multiple of its time without one on, and not before three minutes, it counts as endless. */
const patience = 3;
const leastMs = 180_000;

/** @param limitMs for a run of one test without a fault */
export const createComparison = (
  sandbox: Sandbox,
  limitMs: number,
  say: (line: string) => void,
): Comparison => {
  const limits = new Map<string, number>();
  const reaches = new Map<string, (mutant: Mutant) => boolean>();
  const known = new Map<string, Promise<Catch>>();

  const runWith = async (test: NamedTest, mutant: Mutant): Promise<Catch> => {
    if (!reaches.get(testText(test))?.(mutant)) return 'not reached';
    const source = mutatedSource(mutant);
    const limit = limits.get(testText(test)) ?? limitMs;
    const { outcome } = await sandbox.withSources(new Map([[mutant.file, source]]), () =>
      sandbox.runTests([test.file], limit, { name: test.name, env: test.variables }),
    );
    return outcome === 'passed' ? 'passed' : 'caught';
  };

  const demandPass = async (test: NamedTest): Promise<void> => {
    const run = () => sandbox.runTests([test.file], limitMs, { name: test.name, env: test.variables });
    // On a busy machine a whole stack may miss a deadline once.
    const first = await run();
    const { outcome, ran, reason } = first.outcome === 'passed' ? first : await run();
    if (outcome !== 'passed')
      throw new UnusableTest(`${testText(test)} does not pass without a fault: ${reason ?? outcome}`);
    if (ran === 0)
      throw new UnusableTest(
        `${testText(test)} ran no test: is the name right, and is what it needs on this machine?`,
      );
  };

  return {
    demandPass,
    async reachOf(test, files) {
      const began = performance.now();
      const { run, reaches: found } = await measureReach(sandbox, test, files, limitMs);
      const isKnown = run.outcome === 'passed' && run.ran > 0;
      if (!isKnown) {
        await demandPass(test);
        say(
          `${testText(test)} passes, but not with the probes, which slow it down: it counts as reaching everything`,
        );
      }
      limits.set(testText(test), Math.max(leastMs, Math.ceil(patience * (performance.now() - began))));
      const counted = isKnown ? found : () => true;
      reaches.set(testText(test), counted);
      return counted;
    },
    catches(test, mutant) {
      const key = `${testText(test)} ${mutant.file} ${mutant.start} ${mutant.replacement}`;
      const run = known.get(key) ?? runWith(test, mutant);
      known.set(key, run);
      return run;
    },
  };
};
