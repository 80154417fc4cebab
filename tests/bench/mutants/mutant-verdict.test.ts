import { expect, test } from 'vitest';
import { createMutantVerdict } from './mutant-verdict.ts';
import { relatedTests } from './related-tests.ts';
import type { Sandbox, TestRun } from './sandbox.ts';

const passed: TestRun = { outcome: 'passed', failed: [], ran: 1 };
const outOfTime: TestRun = { outcome: 'out of time', failed: [], ran: 0 };
const failing = (...failed: string[]): TestRun => ({ outcome: 'failed', failed, ran: 1 });

/** Runs with the given outcomes, with and without the fault. */
const runs = (
  withFault: (files: readonly string[]) => TestRun,
  withoutFault: (files: readonly string[]) => TestRun = () => passed,
): Sandbox => {
  let isPlanted = false;
  return {
    folder: '',
    async withSources(_sources, act) {
      isPlanted = true;
      return act().finally(() => {
        isPlanted = false;
      });
    },
    runTests: async (files) => (isPlanted ? withFault(files) : withoutFault(files)),
    compiles: async () => true,
    [Symbol.asyncDispose]: async () => undefined,
  };
};
const mutant = { file: 'server/a.ts', mutated: '', tests: ['near', 'far'] };
const judged = (sandbox: Sandbox) => createMutantVerdict(sandbox, 60_000)(mutant);

// Guarantee: a fault counts as killed only by tests that pass without it.
test('what kills', async () => {
  expect(await judged(runs(() => failing('near')))).toEqual({ outcome: 'killed', detail: 'near' });
  const withoutNear = (files: readonly string[]) => (files.includes('near') ? failing('near') : passed);
  expect(await judged(runs(withoutNear, withoutNear))).toEqual({
    outcome: 'survived',
    detail: '1 of 1 test files',
  });
  expect(await judged(runs(() => passed))).toMatchObject({ outcome: 'survived' });
  const failsAlways = (files: readonly string[]) => failing(...files);
  expect(await judged(runs(failsAlways, failsAlways))).toMatchObject({ outcome: 'unreached' });
});

// Guarantee: an endless loop counts as killed, and tests that are slow without any fault kill nothing.
test('tests that do not end', async () => {
  expect(await judged(runs(() => outOfTime))).toMatchObject({ outcome: 'killed' });
  expect(
    await judged(
      runs(
        () => outOfTime,
        () => outOfTime,
      ),
    ),
  ).toEqual({ outcome: 'survived', detail: '0 of 2 test files' });
});

test('no test that reaches the file', async () => {
  const sandbox = runs(() => passed);
  expect(await createMutantVerdict(sandbox, 60_000)({ ...mutant, tests: [] })).toMatchObject({
    outcome: 'unreached',
  });
});

test('the related tests, the nearest first', () => {
  const graph = new Map([
    ['far.test.ts', ['between.ts']],
    ['near.test.ts', ['a.ts']],
    ['other.test.ts', ['b.ts']],
    ['tests/integration/whole.test.ts', ['a.ts']],
    ['between.ts', ['a.ts']],
    ['a.ts', ['b.ts']],
  ]);
  expect(relatedTests(graph, 'a.ts')).toEqual(['near.test.ts', 'far.test.ts']);
  const entry = new Map([
    ['main.ts', ['a.ts']],
    ['main.test.ts', ['testing/start-main.ts']],
  ]);
  expect(relatedTests(entry, 'main.ts')).toEqual(['main.test.ts']);
  const application = new Map([
    ['app.ts', ['sales/routes.ts']],
    ['app.test.ts', ['app.ts']],
    ['letters/routes.test.ts', ['app.ts']],
    ['sales/routes.test.ts', ['app.ts']],
  ]);
  expect(relatedTests(application, 'sales/routes.ts')).toEqual([
    'sales/routes.test.ts',
    'app.test.ts',
    'letters/routes.test.ts',
  ]);
});
