import type { Sandbox } from './sandbox.ts';

export interface Verdict {
  readonly outcome: 'killed' | 'refused' | 'survived' | 'unreached';
  /** The test that failed, or how many tests ran. */
  readonly detail: string;
}

export interface Case {
  readonly file: string;
  /** The source with the fault. */
  readonly mutated: string;
  /** The nearest first. */
  readonly tests: readonly string[];
}

/** The nearest tests detect most faults, and a run of many is expensive. */
const firstBatch = 4;

/** @param limitMs for the tests of one mutant; tests that did not run within it are skipped */
export const createMutantVerdict = (
  sandbox: Sandbox,
  limitMs: number,
): ((mutant: Case) => Promise<Verdict>) => {
  /** Test files that pass, or fail, without a fault. */
  const sound = new Set<string>();
  const unsound = new Set<string>();

  const passWithoutFault = async (files: readonly string[]): Promise<boolean> => {
    for (const file of files) {
      if (sound.has(file)) continue;
      const { outcome } = await sandbox.runTests([file], limitMs);
      (outcome === 'passed' ? sound : unsound).add(file);
    }
    return files.every((file) => sound.has(file));
  };

  return async ({ file, mutated, tests }) => {
    const compiles = () => {
      const [part = ''] = file.split('/');
      return sandbox.withSources(new Map([[file, mutated]]), () => sandbox.compiles(part));
    };
    const unreached = async (detail: string): Promise<Verdict> => ({
      outcome: (await compiles()) ? 'unreached' : 'refused',
      detail,
    });
    let usable = tests.filter((test) => !unsound.has(test));
    if (usable.length === 0) return unreached('no test imports it');
    const until = Date.now() + limitMs;
    let asked = 0;
    for (let size = firstBatch; asked < usable.length && Date.now() < until; size *= 2) {
      const batch = usable.slice(asked, asked + size);
      const leftMs = until - Date.now();
      const { outcome, failed } = await sandbox.withSources(new Map([[file, mutated]]), () =>
        sandbox.runTests(batch, leftMs),
      );
      if (outcome === 'passed') asked += batch.length;
      else if (outcome === 'out of time') {
        // An endless loop, if the same tests end without the fault.
        const { outcome: without } = await sandbox.runTests(batch, leftMs);
        if (without !== 'passed') break;
        return { outcome: 'killed', detail: 'its tests do not end' };
      } else {
        const blamed = failed.length > 0 ? failed : batch;
        if (await passWithoutFault(blamed)) return { outcome: 'killed', detail: blamed.join(', ') };
        usable = usable.filter((test) => !unsound.has(test));
      }
    }
    if (usable.length === 0) return unreached('its tests fail without the fault, too');
    return {
      outcome: (await compiles()) ? 'survived' : 'refused',
      detail: `${asked} of ${usable.length} test files`,
    };
  };
};
