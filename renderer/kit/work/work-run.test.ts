import { expect, test } from 'vitest';
import { type ProblemCode, problems } from '#contracts/kernel/problems.ts';
import { ApiAway, ApiProblem } from '../api/api-problem.ts';
import { failureVerdict } from './work-run.ts';

const refusal = (code: ProblemCode, retryAfterSeconds: number | null = null) => {
  const { status, title } = problems[code];
  return new ApiProblem({ type: 'about:blank', status, title, code }, retryAfterSeconds);
};

// Guarantee: one failure does not hold up the others.
test.each([refusal('CLUSTER_NOT_EMPTY'), refusal('NOT_FOUND'), refusal('FORBIDDEN'), new Error('x')])(
  '%s: the others go on',
  (error) => expect(failureVerdict(error)).toEqual({ kind: 'failed' }),
);

// Guarantee: anything that may have been done is never automatically done twice, and the rest waits for a person.
test.each([new ApiAway('no answer'), refusal('DATABASE_UNAVAILABLE')])('%s: nobody knows', (error) =>
  expect(failureVerdict(error)).toEqual({ kind: 'failed, halt' }),
);

// Guarantee: a session that ends in the middle loses none of the work.
test('signed out', () => expect(failureVerdict(refusal('UNAUTHENTICATED'))).toEqual({ kind: 'again, halt' }));

// Guarantee: the API's limit is waited for, never run against in a loop.
test('too many requests', () => {
  expect(failureVerdict(refusal('RATE_LIMITED', 7))).toEqual({ kind: 'again, wait', seconds: 7 });
  expect(failureVerdict(refusal('RATE_LIMITED', 0))).toEqual({ kind: 'again, wait', seconds: 1 });
});
