import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** How many of the longest files are named; the others hardly matter. */
const namedFiles = 10;

interface Timed {
  readonly path: string;
  readonly seconds: number;
}

/** `server`, or for tests that span parts `tests/browser`. */
const groupOf = (path: string): string => path.split('/', path.startsWith('tests/') ? 2 : 1).join('/');

const inWords = (seconds: number): string => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;

/** Prints where the time of a run went, in seconds of its workers: by group of files, and the longest files. */
export default class TimesByGroup implements Reporter {
  #root = '';

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => this.#timed(module)).sort((a, b) => b.seconds - a.seconds);
    if (files.length < 2) return;
    const groups = [...Map.groupBy(files, ({ path }) => groupOf(path))]
      .map(([group, within]) => ({ group, count: within.length, seconds: total(within) }))
      .sort((a, b) => b.seconds - a.seconds);
    const lines = [
      ...groups.map(({ group, count, seconds }) => `${group} ${inWords(seconds)} in ${count} files`),
      ...files.slice(0, namedFiles).map(({ path, seconds }) => `${path} ${inWords(seconds)}`),
    ];
    process.stdout.write(`\nworker time, ${inWords(total(files))} in all\n  ${lines.join('\n  ')}\n`);
  }

  #timed(module: TestModule): Timed {
    const { collectDuration, prepareDuration, environmentSetupDuration, setupDuration, duration } =
      module.diagnostic();
    const ms = collectDuration + prepareDuration + environmentSetupDuration + setupDuration + duration;
    return { path: relative(this.#root, module.moduleId).replaceAll('\\', '/'), seconds: ms / 1000 };
  }
}

const total = (files: readonly Timed[]): number => files.reduce((sum, { seconds }) => sum + seconds, 0);
