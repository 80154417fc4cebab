import { createThrottle, type Try } from '#runtime/throttle/throttle.ts';
import type { BucketLimits } from '#runtime/throttle/token-buckets.ts';

export interface Attempt {
  /** The name as compared, whether or not such an admin exists. */
  readonly account: string;
  /** As returned by `countedAddress`. */
  readonly address: string;
  /** The device that signed in to this account before, as proven by its cookie; null without proof. */
  readonly device: string | null;
}

type Admission =
  | { readonly outcome: 'refused'; readonly retryAfterMs: number }
  | {
      readonly outcome: 'admitted';
      /** The password or code was right: the budget is returned, and the address becomes known for this account. */
      succeed(): void;
    };

export interface SignInThrottle {
  /** Takes the attempt's budget before any costly work is done for it. */
  admit(attempt: Attempt): Admission;
}

interface ThrottleLimits {
  /** A device or address that has signed in to the account before. */
  readonly known: BucketLimits;
  /** A stranger: one address trying one account, … */
  readonly pair: BucketLimits;
  /** … one address, whatever it tries, … */
  readonly address: BucketLimits;
  /** … one account, no matter who tries it, … */
  readonly account: BucketLimits;
  /** … and all strangers together, so that they leave capacity to the others. */
  readonly everybody: BucketLimits;
}

const second = 1000;
const minute = 60 * second;

export const passwordLimits: ThrottleLimits = {
  known: { capacity: 10, refillMs: 30 * second },
  pair: { capacity: 5, refillMs: minute },
  address: { capacity: 20, refillMs: 6 * second },
  account: { capacity: 5, refillMs: 12 * second },
  everybody: { capacity: 10, refillMs: second },
};

/** At this stage the password is known, and six digits are few: at this rate, a year of guessing finds one in ten. */
export const codeLimits: ThrottleLimits = {
  known: { capacity: 5, refillMs: minute },
  pair: { capacity: 5, refillMs: 10 * minute },
  address: { capacity: 10, refillMs: 5 * minute },
  account: { capacity: 10, refillMs: 20 * minute },
  everybody: { capacity: 60, refillMs: second },
};

const maxKnownPairs = 10_000;

/**
 * Failed tries use up budgets that refill slowly. People who have signed in before, on a device or from an address, have
 * their own budget: others' failures, from however many addresses, keep strangers out but never the true owner.
 */
export const createSignInThrottle = (limits: ThrottleLimits, now: () => number): SignInThrottle => {
  const throttle = createThrottle<keyof ThrottleLimits>(limits, now);
  const knownPairs = new Set<string>();

  const remember = (pair: string) => {
    knownPairs.delete(pair);
    knownPairs.add(pair);
    const [oldest] = knownPairs;
    if (knownPairs.size > maxKnownPairs && oldest !== undefined) knownPairs.delete(oldest);
  };
  const triesOf = ({ account, address, device }: Attempt): readonly Try<keyof ThrottleLimits>[] => {
    const pair = JSON.stringify([account, address]);
    if (device !== null) return [{ scope: 'known', subject: device }];
    if (knownPairs.has(pair)) return [{ scope: 'known', subject: pair }];
    return [
      { scope: 'pair', subject: pair },
      { scope: 'address', subject: address },
      { scope: 'account', subject: account },
      { scope: 'everybody', subject: '' },
    ];
  };

  return {
    admit(attempt) {
      const tries = triesOf(attempt);
      const retryAfterMs = throttle.take(tries);
      if (retryAfterMs > 0) return { outcome: 'refused', retryAfterMs };
      return {
        outcome: 'admitted',
        succeed() {
          throttle.giveBack(tries);
          remember(JSON.stringify([attempt.account, attempt.address]));
        },
      };
    },
  };
};
