/** The policy of every throttle of failures, in memory or in SQL. */
export interface BucketLimits {
  /** How many tries at the same time. */
  readonly capacity: number;
  /** How long until one more is allowed. */
  readonly refillMs: number;
}

/** A budget of tries per key. */
interface TokenBuckets {
  /** How long until there is a token; 0 when there is one. */
  waitMs(key: string): number;
  take(key: string): void;
  /** Takes a token if there is one. @returns 0 then, else how long until there is one */
  tryTake(key: string): number;
  giveBack(key: string): void;
}

/**
 * Beyond this many keys, the one that was untouched for longest starts full again. Gaining those few tries costs as many budgets
 * under other keys.
 */
const maxKeys = 20_000;

export const createTokenBuckets = ({ capacity, refillMs }: BucketLimits, now: () => number): TokenBuckets => {
  const buckets = new Map<string, { readonly tokens: number; atMs: number }>();

  const tokensOf = (key: string): number => {
    const bucket = buckets.get(key);
    if (!bucket) return capacity;
    // A clock that is set back takes nothing away, and from there the time passes as ever: no one waits until it has caught up.
    bucket.atMs = Math.min(bucket.atMs, now());
    return Math.min(capacity, bucket.tokens + (now() - bucket.atMs) / refillMs);
  };
  const keep = (key: string, tokens: number) => {
    buckets.delete(key);
    if (tokens < capacity) buckets.set(key, { tokens, atMs: now() });
    const [oldest] = buckets.keys();
    if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest);
  };

  const waitMs = (key: string) => Math.ceil(Math.max(0, 1 - tokensOf(key)) * refillMs);
  const take = (key: string) => keep(key, tokensOf(key) - 1);

  return {
    waitMs,
    take,
    tryTake(key) {
      const leftMs = waitMs(key);
      if (leftMs === 0) take(key);
      return leftMs;
    },
    giveBack: (key) => keep(key, Math.min(capacity, tokensOf(key) + 1)),
  };
};
