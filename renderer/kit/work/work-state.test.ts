import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { problems } from '#contracts/kernel/problems.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { cancelRest, forgetAllWork, goOn, startWork, tryAgain, workRuns } from './work-state.ts';

const page = new EventTarget();
beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => {
  forgetAllWork();
  vi.unstubAllGlobals();
});

const refusal = (code: 'UNAUTHENTICATED' | 'NOT_FOUND') => {
  const { status, title } = problems[code];
  return new ApiProblem({ type: 'about:blank', status, title, code }, null);
};
const begin = (items: readonly string[], run: (item: string) => Promise<unknown>) => {
  startWork({ label: 'Archive', items, nameOf: (item) => item, run });
  return workRuns().at(-1)?.id ?? Number.NaN;
};
const present = () => workRuns().at(-1);
/** Whether the browser would ask before it closes the page. */
const isHeld = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

// Guarantee: work that waits for a person cannot be lost by closing the page without a warning, and continues where it was.
test('halted, and gone on with', async () => {
  let isSignedIn = false;
  const done: string[] = [];
  const id = begin(['a', 'b'], async (item) => {
    if (!isSignedIn) throw refusal('UNAUTHENTICATED');
    done.push(item);
  });
  await expect.poll(() => present()?.state).toBe('halted');
  expect(isHeld()).toBe(true);
  isSignedIn = true;
  goOn(id);
  await expect.poll(() => present()?.state).toBe('ended');
  expect(done).toEqual(['a', 'b']);
  expect(isHeld()).toBe(false);
});

// Guarantee: a retry repeats the failed items and nothing else.
test('the failed ones again', async () => {
  const tried: string[] = [];
  const id = begin(['a', 'b'], async (item) => {
    tried.push(item);
    if (item === 'a' && tried.length < 3) throw refusal('NOT_FOUND');
  });
  await expect.poll(() => present()).toMatchObject({ state: 'ended', done: 1, failures: [{ name: 'a' }] });
  tryAgain(id);
  await expect.poll(() => present()).toMatchObject({ state: 'ended', done: 2, failures: [] });
  expect(tried).toEqual(['a', 'b', 'a']);
});

// Guarantee: nothing that was given up is done, whether on request or because another person has signed in.
test.each([
  ['cancelled', (id: number) => cancelRest(id)],
  ['forgotten', () => forgetAllWork()],
])('%s', async (_name, giveUp) => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const done: string[] = [];
  const id = begin(['a', 'b'], async (item) => {
    await held;
    done.push(item);
  });
  giveUp(id);
  release();
  const next = begin(['c'], async (item) => done.push(item));
  await expect.poll(() => workRuns().find((run) => run.id === next)?.state).toBe('ended');
  expect(done).toEqual(['a', 'c']);
});
