import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { longTests } from '../times/long-tests.ts';
import {
  type Measured,
  type Refusal,
  refusals,
  type Slowness,
  slowness,
  type Tier,
} from '../times/refusals.ts';
import {
  keptTimesPath,
  measuredTimesPath,
  readTimes,
  refusedTimesPath,
  type Times,
} from '../times/stored-times.ts';

/** How many of the longest files and tests are named; the others hardly matter. */
const named = 10;

/** Tests of the other projects belong to the middle tier. */
const tiers: Readonly<Record<string, Tier>> = {
  architecture: 'units',
  units: 'units',
  'units-isolated': 'units',
  nightly: 'night',
};

interface Timed {
  readonly path: string;
  readonly seconds: number;
}

/** `server`, or for tests that span parts `tests/browser`. */
const groupOf = (path: string): string => path.split('/', path.startsWith('tests/') ? 2 : 1).join('/');

const inWords = (seconds: number): string => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;

/**
 * Prints where the time of a run went: in seconds of its workers by group of files and for the longest files, in seconds of the
 * processor for the longest tests. Stores each test's processor time, and the tests that use too much of it, for `tests/checks.ts`.
 */
export default class TimesByGroup implements Reporter {
  #root = '';

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured = modules.flatMap((module) => this.#measured(module));
    const kept = readTimes(keptTimesPath);
    const refused = refusals(measured, kept, longTests);
    const ran = modules.map((module) => ({
      file: this.#pathOf(module),
      names: [...module.children.allTests()].map(({ fullName }) => fullName),
    }));
    store(ran, measured, refused);
    if (modules.length > 1) this.#print(modules, measured, slowness(measured, kept));
    for (const { file, name, why } of refused) process.stdout.write(`${file} > ${name} ${why}\n`);
  }

  #print(modules: readonly TestModule[], measured: readonly Measured[], slower: Slowness): void {
    const files = modules.map((module) => this.#timed(module)).sort((a, b) => b.seconds - a.seconds);
    const groups = [...Map.groupBy(files, ({ path }) => groupOf(path))]
      .map(([group, within]) => ({ group, count: within.length, seconds: total(within) }))
      .sort((a, b) => b.seconds - a.seconds);
    const tests = measured.toSorted((a, b) => b.ms - a.ms).slice(0, named);
    const ms = measured.reduce((sum, test) => sum + test.ms, 0);
    const speed = `compared with the kept times, tests themselves take ${slower.own.toFixed(2)} and what they start ${slower.started.toFixed(2)} times as long`;
    const lines = [
      `worker time, ${inWords(total(files))} in all`,
      ...groups.map(({ group, count, seconds }) => `  ${group} ${inWords(seconds)} in ${count} files`),
      ...files.slice(0, named).map(({ path, seconds }) => `  ${path} ${inWords(seconds)}`),
      `processor time, ${inWords(ms / 1000)} in all; ${speed}`,
      ...tests.map(({ file, name, ms }) => `  ${file} > ${name} ${inWords(ms / 1000)}`),
    ];
    process.stdout.write(`\n${lines.join('\n')}\n`);
  }

  #measured(module: TestModule): readonly Measured[] {
    const tier = tiers[module.project.name] ?? 'middle';
    const file = this.#pathOf(module);
    return [...module.children.allTests()].flatMap((test) => {
      const { processorTime } = test.meta();
      return processorTime === undefined ? [] : [{ file, name: test.fullName, ...processorTime, tier }];
    });
  }

  #timed(module: TestModule): Timed {
    const { collectDuration, prepareDuration, environmentSetupDuration, setupDuration, duration } =
      module.diagnostic();
    const ms = collectDuration + prepareDuration + environmentSetupDuration + setupDuration + duration;
    return { path: this.#pathOf(module), seconds: ms / 1000 };
  }

  #pathOf(module: TestModule): string {
    return relative(this.#root, module.moduleId).replaceAll('\\', '/');
  }
}

const total = (files: readonly Timed[]): number => files.reduce((sum, { seconds }) => sum + seconds, 0);

/** A test that was left out in this run keeps its time; one that is gone loses it. */
const store = (
  modules: readonly { readonly file: string; readonly names: readonly string[] }[],
  measured: readonly Measured[],
  refused: readonly Refusal[],
): void => {
  const before = readTimes(measuredTimesPath);
  const byFile = Map.groupBy(measured, ({ file }) => file);
  const times: Times = Object.fromEntries(
    modules.map(({ file, names }) => {
      const earlier = Object.entries(before[file] ?? {}).filter(([name]) => names.includes(name));
      const now = (byFile.get(file) ?? []).map(({ name, ms }) => [name, ms] as const);
      return [file, Object.fromEntries([...earlier, ...now])];
    }),
  );
  mkdirSync(dirname(measuredTimesPath), { recursive: true });
  writeFileSync(measuredTimesPath, JSON.stringify({ ...before, ...times }));
  writeFileSync(refusedTimesPath, JSON.stringify(refused));
};
