import { createTokenBuckets } from '../sessions/token-buckets.ts';

/** A session has a budget to itself: who guesses in one that was stolen keeps the owner's others open. */
export interface StepUpTries {
  /** @returns how long to wait; 0 when it may be made, and is counted then */
  count(by: 'password' | 'code', sessionId: string): number;
  /** It was right. */
  giveBack(by: 'password' | 'code', sessionId: string): void;
}

/** As signing in from a known device; six digits are few, so that codes fill up slowly. */
const limits = {
  password: { capacity: 5, refillMs: 30_000 },
  code: { capacity: 5, refillMs: 600_000 },
} as const;

export const createStepUpTries = (now: () => number): StepUpTries => {
  const buckets = {
    password: createTokenBuckets(limits.password, now),
    code: createTokenBuckets(limits.code, now),
  };
  return {
    count(by, sessionId) {
      const waitMs = buckets[by].waitMs(sessionId);
      if (waitMs === 0) buckets[by].take(sessionId);
      return waitMs;
    },
    giveBack: (by, sessionId) => buckets[by].giveBack(sessionId),
  };
};
