import { relative, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, type RunnerTestCase, type RunnerTestFile } from 'vitest';
import { watchLeftovers } from './leftovers.ts';
import { type ProcessorTime, processorTime } from './processor-time.ts';
import { sharedBrowser } from './shared-browser.ts';
import { guardPrograms } from './started-programs.ts';

/**
 * Runs in each worker before each test file: a test that starts a program without a tag fails, a file that leaves something
 * behind fails, and the processor time of each test is measured.
 */

declare module 'vitest' {
  interface TaskMeta {
    /** Of the worker and of what it started. */
    processorTime?: ProcessorTime;
  }
}

const guard = guardPrograms();
const root = resolve(import.meta.dirname, '../..');

const testsIn = (tasks: RunnerTestFile['tasks']): readonly RunnerTestCase[] =>
  tasks.flatMap((task) => (task.type === 'suite' ? testsIn(task.tasks) : [task as RunnerTestCase]));

let shared: readonly string[] = [];
let leftovers: ReturnType<typeof watchLeftovers> | null = null;

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that a hook needs from its source.
beforeAll(({}, suite) => {
  const tests = testsIn(suite.tasks);
  shared = (tests[0]?.tags ?? []).filter((tag) => tests.every(({ tags }) => tags?.includes(tag)));
  guard.allow(shared);
  leftovers = watchLeftovers(relative(root, suite.file.filepath));
});
afterAll(async () => {
  await leftovers?.expectNone();
  expectNoViolation();
});

const measured = [process.pid, ...[sharedBrowser()].flatMap((browser) => browser?.pid ?? [])];
let before: ProcessorTime = { ms: 0, startedMs: 0 };
beforeEach(({ task }) => {
  guard.allow(task.tags ?? []);
  before = processorTime(measured);
});
afterEach(({ task }) => {
  // What a child used whose parent ended without waiting for it is lost.
  const { ms, startedMs } = processorTime(measured);
  task.meta.processorTime = {
    ms: Math.max(0, ms - before.ms),
    startedMs: Math.max(0, startedMs - before.startedMs),
  };
  guard.allow(shared);
  expectNoViolation();
});

const expectNoViolation = () => {
  const [first, ...others] = guard.violations();
  if (first !== undefined) throw new Error(`this test ${[first, ...others].join(', ')}`);
};
