import type { Report } from '../harness/report.ts';
import { createComparison, UnusableTest } from './compare-tests.ts';
import { type Pair, testText } from './named-tests.ts';
import { isAt, type Mutant, mutantsIn, mutatedSource, sampleOf } from './planted-faults.ts';
import type { Sandbox } from './sandbox.ts';

export interface PairsOptions {
  /** Faults in total, spread evenly over the pairs. */
  readonly count: number;
  readonly seed: number;
  readonly at: readonly string[];
  /** For a run of one test without a fault. */
  readonly limitMs: number;
  /** Also runs a moved test where a sibling has caught the fault. */
  readonly runsBoth: boolean;
  readonly plantedFiles: readonly string[];
  readonly say: (line: string) => void;
}

type Outcome = 'sibling' | 'both' | 'moved' | 'neither' | 'refused';

const titles: Readonly<Record<Outcome, string>> = {
  sibling: 'caught by the sibling',
  both: 'caught by both',
  moved: 'caught by the moved test alone',
  neither: 'caught by neither',
  refused: 'caught by the moved test alone, refused by the compiler',
};

/** Whether what a moved test catches is also caught by the siblings that stay. A finding is what only the moved test catches. */
export const comparePairs = async (
  sandbox: Sandbox,
  pairs: readonly Pair[],
  { count, seed, at, limitMs, runsBoth, plantedFiles, say }: PairsOptions,
): Promise<Report> => {
  const comparison = createComparison(sandbox, limitMs, say);
  const counts = { sibling: 0, both: 0, moved: 0, neither: 0, refused: 0 };
  const findings: string[] = [];
  const find = (finding: string) => {
    findings.push(finding);
    say(finding);
  };

  const decide = async ({ moved, siblings }: Pair, mutant: Mutant): Promise<Outcome> => {
    let isCaught = false;
    for (const sibling of siblings) {
      isCaught = (await comparison.catches(sibling, mutant)) === 'caught';
      if (isCaught) break;
    }
    if (isCaught && !runsBoth) return 'sibling';
    const isCaughtByMoved = (await comparison.catches(moved, mutant)) === 'caught';
    if (isCaught) return isCaughtByMoved ? 'both' : 'sibling';
    if (!isCaughtByMoved) return 'neither';
    // A test that kills at random instants may also have failed by chance.
    await comparison.demandPass(moved);
    const [part = ''] = mutant.file.split('/');
    const source = new Map([[mutant.file, mutatedSource(mutant)]]);
    return (await sandbox.withSources(source, () => sandbox.compiles(part))) ? 'moved' : 'refused';
  };

  let asked = 0;
  for (const [index, pair] of pairs.entries()) {
    const share =
      Math.floor(((index + 1) * count) / pairs.length) - Math.floor((index * count) / pairs.length);
    if (share === 0) continue;
    const title = `${testText(pair.moved)} ↔ ${pair.siblings.map(testText).join(', ')}`;
    say(title);
    const mutants = await mutantsIn(pair.code.length > 0 ? pair.code : plantedFiles);
    const sources = new Map(mutants.map(({ file, source }) => [file, source]));
    try {
      const reaches = await comparison.reachOf(pair.moved, sources);
      const reached = mutants.filter(
        (mutant) => !mutant.isSuspect && reaches(mutant) && (at.length === 0 || isAt(mutant, at)),
      );
      say(`  reaches ${reached.length} of ${mutants.length} faults`);
      if (reached.length === 0 && at.length === 0)
        throw new UnusableTest(`${testText(pair.moved)} reaches none of the code`);
      const sample = sampleOf(reached, share, seed);
      const sampled = new Map(sample.map(({ file, source }) => [file, source]));
      for (const sibling of sample.length > 0 ? pair.siblings : [])
        await comparison.reachOf(sibling, sampled);
      for (const mutant of sample) {
        const outcome = await decide(pair, mutant);
        asked += 1;
        counts[outcome] += 1;
        const line = `${titles[outcome]}: ${mutant.file}:${mutant.line}  ${mutant.change}`;
        if (outcome === 'moved') find(`${line}  (${title})`);
        else say(`${asked}/${count} ${line}`);
      }
    } catch (error) {
      if (!(error instanceof UnusableTest)) throw error;
      find(error.message);
    }
  }
  return {
    title: `${asked} faults reached by ${pairs.length} moved tests (seed ${seed})`,
    tables: {
      Faults: Object.fromEntries(
        Object.entries(titles).map(([outcome, title]) => [title, { faults: counts[outcome as Outcome] }]),
      ),
    },
    findings,
    aims: [
      {
        what: 'faults that only a moved test catches, and pairs that cannot be compared',
        value: findings.length,
        aim: '0',
        met: findings.length === 0,
      },
    ],
  };
};
