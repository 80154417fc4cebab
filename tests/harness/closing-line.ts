import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Prints the last line of a run: `N passed, N failed, N skipped`. Before it, why tests were skipped on this machine. */
export default class ClosingLine implements Reporter {
  #reasons: ReadonlyMap<string, string | undefined> = new Map();

  onInit(vitest: Vitest): void {
    const isFiltered = vitest.config.tagsFilter !== undefined;
    const leftOut = vitest.config.tags.filter(({ name, skip }) => skip || (isFiltered && name === 'slow'));
    this.#reasons = new Map(leftOut.map(({ name, description }) => [name, description]));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const leftOut = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed') counts[state] += 1;
        else counts.skipped += 1;
        for (const tag of test.tags)
          if (state === 'skipped' && this.#reasons.has(tag)) leftOut.set(tag, (leftOut.get(tag) ?? 0) + 1);
      }
      if (module.errors().length > 0) counts.failed += 1;
    }
    process.once('exit', () => {
      for (const [tag, count] of leftOut)
        process.stdout.write(`left out: ${count} tagged ${tag}: ${this.#reasons.get(tag)}\n`);
      process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
    });
  }
}
