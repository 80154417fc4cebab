import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type ImportGraph, readImportGraph } from '../../architecture/import-graph.ts';
import type { Bench } from '../harness/report.ts';
import { randomOf } from '../harness/seeded-random.ts';
import { createMutantVerdict, type Verdict } from './mutant-verdict.ts';
import { type Mutation, mutationsOf } from './mutations.ts';
import { relatedTests } from './related-tests.ts';
import { openSandbox } from './sandbox.ts';

const root = resolve(import.meta.dirname, '../../..');
const planted = ['server', 'portal', 'runtime', 'games', 'agent', 'electron'];
/** Tests in these folders reach the parts above, too, for example through a helper that starts a whole portal. */
const tested = [...planted, 'contracts', 'bot', 'build', 'tests'];
const aim = 85;

interface Mutant extends Mutation {
  readonly file: string;
  readonly source: string;
}

const titles: Readonly<Record<Verdict['outcome'], string>> = {
  killed: 'killed by a test',
  refused: 'survived the tests, refused by the compiler',
  survived: 'survived',
  unreached: 'reached by no unit test',
};

const allMutants = async (graph: ImportGraph): Promise<readonly Mutant[]> => {
  const mutants: Mutant[] = [];
  for (const file of [...graph.keys()].toSorted()) {
    if (!planted.some((part) => file.startsWith(`${part}/`))) continue;
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('/testing/')) continue;
    const source = await readFile(join(root, file), 'utf8');
    for (const mutation of mutationsOf(source)) mutants.push({ ...mutation, file, source });
  }
  return mutants;
};

const sampleOf = (mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] => {
  const random = randomOf(seed);
  const left = [...mutants];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0] as Mutant,
  );
};

export const mutantsBench: Bench = {
  summary: 'faults planted one at a time into a copy of the tree, and which of them the unit tests see',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        count: { type: 'string', default: '40' },
        seed: { type: 'string', default: '1' },
        at: { type: 'string', multiple: true, default: [] },
        seconds: { type: 'string', default: '120' },
        json: { type: 'boolean' },
      },
    });
    const graph = await readImportGraph(tested, { withTypes: false });
    const mutants = await allMutants(graph);
    const isAsked = ({ file, line }: Mutant) =>
      values.at.some((place) => place === file || place === `${file}:${line}`);
    const sample =
      values.at.length > 0
        ? mutants.filter(isAsked).slice(0, Number(values.count))
        : sampleOf(mutants, Number(values.count), Number(values.seed));
    say(`${sample.length} of ${mutants.length} faults`);

    const counts = { killed: 0, refused: 0, survived: 0, unreached: 0, suspect: 0 };
    const findings: string[] = [];
    const began = performance.now();
    await using sandbox = await openSandbox();
    const decide = createMutantVerdict(sandbox, Number(values.seconds) * 1000);
    for (const [index, mutant] of sample.entries()) {
      const { file, line, change, isSuspect, source } = mutant;
      const mutated = source.slice(0, mutant.start) + mutant.replacement + source.slice(mutant.end);
      const verdict = await decide({ file, mutated, tests: relatedTests(graph, file) });
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
      title: `${sample.length} faults of ${mutants.length} (seed ${values.seed}), in ${((performance.now() - began) / 60_000).toFixed(1)} min`,
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
