import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import { ApiAway, ApiProblem } from '../api/api-problem.ts';
import { runEach } from './run-each.ts';

const page = new EventTarget();
beforeAll(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterAll(() => {
  vi.unstubAllGlobals();
});
/** Whether the browser would ask before it closes the page. */
const isHeld = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

const refusal = (code: ProblemCode, retryAfterSeconds: number | null = null) => {
  const { status, title } = problems[code];
  return new ApiProblem({ type: 'about:blank', status, title, code }, retryAfterSeconds);
};
const notSent = { isSent: false };

const runAll = async (run: (item: number) => Promise<string>, isStopped?: () => boolean) => {
  const results = new Map<number, unknown>();
  await runEach({
    items: [1, 2, 3, 4, 5, 6],
    run,
    onResult: (item, result) => results.set(item, result),
    ...(isStopped && { isStopped }),
  });
  return [...results.entries()].sort(([one], [other]) => one - other).map(([, result]) => result);
};

// Guarantee: one failure does not hold up the others.
test('a failure', async () => {
  const error = refusal('NOT_FOUND');
  const results = await runAll((item) => (item === 2 ? Promise.reject(error) : Promise.resolve('done')));
  expect(results).toEqual(['done', { error }, 'done', 'done', 'done', 'done']);
});

// Guarantee: once the API is away or refuses everything, nothing more is sent, and refused items are known as not sent.
test.each([
  [new ApiAway('no answer'), true],
  [refusal('UNAUTHENTICATED'), false],
  [refusal('API_UNAVAILABLE'), false],
])('%s', async (error, mayBeDone) => {
  const sent: number[] = [];
  const results = await runAll((item) => {
    sent.push(item);
    return Promise.reject(error);
  });
  expect(sent).toEqual([1, 2, 3, 4]);
  const each = mayBeDone ? { error } : notSent;
  expect(results).toEqual([each, each, each, each, notSent, notSent]);
});

// Guarantee: the API's limit is waited for, and no one loses their turn.
test('too many requests', async () => {
  vi.useFakeTimers();
  let tries = 0;
  const running = runAll(async (item) => {
    tries += 1;
    if (tries === 1) throw refusal('RATE_LIMITED', 7);
    return `done ${item}`;
  });
  await vi.advanceTimersByTimeAsync(6900);
  expect(tries).toBe(6);
  await vi.advanceTimersByTimeAsync(200);
  expect(await running).toEqual([1, 2, 3, 4, 5, 6].map((item) => `done ${item}`));
  vi.useRealTimers();
});

// Guarantee: nothing continues in the name of a person who has signed out.
test('signed out', async () => {
  const sent: number[] = [];
  const results = await runAll(
    async (item) => {
      sent.push(item);
      return 'done';
    },
    () => sent.length >= 2,
  );
  expect(results).toEqual(['done', 'done', notSent, notSent, notSent, notSent]);
});

// Guarantee: the page cannot be closed without a warning while work remains, and freely afterwards.
test('closing the page', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<string>();
  const running = runAll(() => held);
  expect(isHeld()).toBe(true);
  release('done');
  await running;
  expect(isHeld()).toBe(false);
});
