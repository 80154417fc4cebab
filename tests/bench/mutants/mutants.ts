import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { readImportGraph } from '../../architecture/import-graph.ts';
import type { Bench, Report } from '../harness/report.ts';
import { createMutantVerdict, type Verdict } from './mutant-verdict.ts';
import { compareNamedTests } from './named-faults.ts';
import { readNamedTests, readPairs } from './named-tests.ts';
import { comparePairs } from './pairs.ts';
import {
  isAt,
  isPlanted,
  type Mutant,
  mutantsIn,
  mutatedSource,
  plantedParts,
  sampleOf,
} from './planted-faults.ts';
import { relatedTests } from './related-tests.ts';
import { openSandbox } from './sandbox.ts';

/** Tests in these folders reach the parts above, too, for example through a helper that starts a whole portal. */
const tested = [...plantedParts, 'contracts', 'bot', 'build', 'tests'];
const aim = 85;
/** For the units of one fault, and for one named test, which may start a whole stack. */
const unitSeconds = 120;
const namedSeconds = 900;

const titles: Readonly<Record<Verdict['outcome'], string>> = {
  killed: 'killed by a test',
  refused: 'refused by the compiler',
  survived: 'survived',
  unreached: 'reached by no unit test',
};

const listOf = (mutants: readonly Mutant[], all: number, seed: string): Report => ({
  title: `${mutants.length} faults of ${all} (seed ${seed})`,
  tables: {},
  findings: mutants.map(
    ({ file, line, change, isSuspect }) =>
      `${file}:${line}  ${change}${isSuspect ? '  (no fault, by its look)' : ''}`,
  ),
  aims: [],
});

export const mutantsBench: Bench = {
  summary: 'faults planted one at a time into a copy of the tree, and which of them the tests see',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        count: { type: 'string', default: '40' },
        seed: { type: 'string', default: '1' },
        at: { type: 'string', multiple: true, default: [] },
        seconds: { type: 'string' },
        tests: { type: 'string', multiple: true, default: [] },
        pairs: { type: 'string' },
        both: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        json: { type: 'boolean' },
      },
    });
    const graph = await readImportGraph(tested, { withTypes: false });
    const plantedFiles = [...graph.keys()].filter(isPlanted).toSorted();
    const namesTests = values.pairs !== undefined || values.tests.length > 0;
    const options = {
      count: Number(values.count),
      seed: Number(values.seed),
      at: values.at,
      limitMs: Number(values.seconds ?? (namesTests ? namedSeconds : unitSeconds)) * 1000,
      plantedFiles,
      say,
    };
    const began = performance.now();
    const timed = (title: string) => `${title}, in ${((performance.now() - began) / 60_000).toFixed(1)} min`;
    if (values.pairs !== undefined) {
      const pairs = await readPairs(resolve(values.pairs));
      await using sandbox = await openSandbox();
      const report = await comparePairs(sandbox, pairs, { ...options, runsBoth: values.both });
      if (report.aims.some(({ met }) => !met)) process.exitCode = 1;
      return { ...report, title: timed(report.title) };
    }
    if (values.tests.length > 0) {
      const tests = await readNamedTests(values.tests);
      await using sandbox = await openSandbox();
      const report = await compareNamedTests(sandbox, tests, options);
      return { ...report, title: timed(report.title) };
    }

    const mutants = await mutantsIn(plantedFiles);
    const sample =
      values.at.length > 0
        ? mutants.filter((mutant) => isAt(mutant, values.at)).slice(0, options.count)
        : sampleOf(mutants, options.count, options.seed);
    if (values.list) return listOf(sample, mutants.length, values.seed);
    say(`${sample.length} of ${mutants.length} faults`);

    const counts = { killed: 0, refused: 0, survived: 0, unreached: 0, suspect: 0 };
    const findings: string[] = [];
    await using sandbox = await openSandbox();
    const decide = createMutantVerdict(sandbox, options.limitMs);
    for (const [index, mutant] of sample.entries()) {
      const { file, line, change, isSuspect } = mutant;
      const verdict = await decide({
        file,
        mutated: mutatedSource(mutant),
        tests: relatedTests(graph, file),
      });
      const isHarmless = isSuspect && verdict.outcome !== 'killed' && verdict.outcome !== 'refused';
      const title = isHarmless ? 'no fault, by its look' : titles[verdict.outcome];
      counts[isHarmless ? 'suspect' : verdict.outcome] += 1;
      const finding = `${title}: ${file}:${line}  ${change}  (${verdict.detail})`;
      say(`${index + 1}/${sample.length} ${finding}`);
      if (verdict.outcome === 'survived' || verdict.outcome === 'unreached') findings.push(finding);
    }
    const judged = sample.length - counts.suspect;
    const seen = ((counts.killed + counts.refused) / judged) * 100;
    return {
      title: timed(`${sample.length} faults of ${mutants.length} (seed ${values.seed})`),
      tables: {
        Faults: {
          [titles.killed]: { faults: counts.killed },
          [titles.refused]: { faults: counts.refused },
          [titles.survived]: { faults: counts.survived },
          [titles.unreached]: { faults: counts.unreached },
          'no fault, by its look (not counted)': { faults: counts.suspect },
        },
      },
      findings: findings.toSorted(),
      aims: [{ what: 'faults that are seen, percent', value: seen, aim: `≥ ${aim}`, met: seen >= aim }],
    };
  },
};
