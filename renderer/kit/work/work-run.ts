import { ApiAway, ApiProblem, ProxyRefusal } from '../api/api-problem.ts';

/**
 * - `waiting`: for the work started before it
 * - `running`: one item after another
 * - `halted`: nothing more can be done for now; it continues on a person's request
 * - `ended`: nothing is left to do
 */
type WorkState = 'waiting' | 'running' | 'halted' | 'ended';

interface WorkFailure {
  /** The name of the item, as people know it. */
  readonly name: string;
  readonly error: unknown;
}

/** An action on many items, one after another. */
export interface WorkRun {
  readonly id: number;
  readonly label: string;
  readonly state: WorkState;
  /** The initial number, without those that were given up. */
  readonly total: number;
  readonly done: number;
  readonly failures: readonly WorkFailure[];
  /** Why it halted. */
  readonly halt: unknown;
}

/** How many were done or have failed. */
export const handled = ({ done, failures }: WorkRun): number => done + failures.length;

/**
 * What an item's failure means for the rest.
 * - `failed`: this one cannot be done, the others may
 * - `failed, halt`: unknown whether this one was done, and the others would currently fail too
 * - `again, halt`: refused before anything was done, as all others would be
 * - `again, wait`: refused for the number of requests
 */
type FailureVerdict =
  | { readonly kind: 'failed' | 'failed, halt' | 'again, halt' }
  | { readonly kind: 'again, wait'; readonly seconds: number };

const shortestWaitSeconds = 1;

export const failureVerdict = (error: unknown): FailureVerdict => {
  if (error instanceof ApiAway) return { kind: 'failed, halt' };
  if (error instanceof ProxyRefusal) {
    if (error.status === 413) return { kind: 'failed' };
    if (error.status !== 429) return { kind: 'again, halt' };
    return { kind: 'again, wait', seconds: Math.max(shortestWaitSeconds, error.retryAfterSeconds ?? 0) };
  }
  if (!(error instanceof ApiProblem)) return { kind: 'failed' };
  switch (error.code) {
    case 'UNAUTHENTICATED':
    case 'SHUTTING_DOWN':
    case 'API_UNAVAILABLE':
      return { kind: 'again, halt' };
    case 'DATABASE_UNAVAILABLE':
      return { kind: 'failed, halt' };
    case 'RATE_LIMITED':
      return { kind: 'again, wait', seconds: Math.max(shortestWaitSeconds, error.retryAfterSeconds ?? 0) };
    default:
      return { kind: 'failed' };
  }
};
