import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** The tags of tests that a tier leaves to the next one. */
const tiers: readonly string[] = ['slow', 'night'];

/** What a run ends with. */
export interface Closing {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Why tests were skipped on this machine, a sentence each. */
  readonly leftOut: readonly string[];
}

/** The last lines of a run; the very last is `N passed, N failed, N skipped`. */
export const closingText = ({ passed, failed, skipped, leftOut }: Closing): string =>
  [...leftOut, `${passed} passed, ${failed} failed, ${skipped} skipped`, ''].join('\n');

/** Prints the last lines of a run, or sends them to a parent that has more to do before them. */
export default class ClosingLine implements Reporter {
  #reasons: ReadonlyMap<string, string | undefined> = new Map();

  onInit(vitest: Vitest): void {
    const filter = vitest.config.tagsFilter?.join(' ') ?? '';
    const leftOut = vitest.config.tags.filter(
      ({ name, skip }) => skip || (tiers.includes(name) && filter.includes(`!${name}`)),
    );
    this.#reasons = new Map(leftOut.map(({ name, description }) => [name, description]));
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    const leftOut = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed' || state === 'failed') counts[state] += 1;
        // What belongs to another tier is not skipped.
        else if (!test.tags.some((tag) => tiers.includes(tag) && this.#reasons.has(tag))) counts.skipped += 1;
        for (const tag of test.tags)
          if (state === 'skipped' && this.#reasons.has(tag)) leftOut.set(tag, (leftOut.get(tag) ?? 0) + 1);
      }
      if (module.errors().length > 0) counts.failed += 1;
    }
    const closing: Closing = {
      ...counts,
      leftOut: [...leftOut].map(
        ([tag, count]) => `left out: ${count} tagged ${tag}: ${this.#reasons.get(tag)}`,
      ),
    };
    if (process.send) process.send({ closing });
    else process.once('exit', () => process.stdout.write(closingText(closing)));
  }
}
