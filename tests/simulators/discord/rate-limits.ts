import { createHash } from 'node:crypto';

export interface BucketSize {
  readonly limit: number;
  readonly windowMs: number;
}

/**
 * Discord documents no sizes and says to follow the headers: these are roughly the values in its headers today.
 * https://docs.discord.com/developers/topics/rate-limits
 */
export const usualBuckets: Readonly<Record<string, BucketSize>> = {
  'create-message': { limit: 5, windowMs: 5000 },
  'edit-message': { limit: 5, windowMs: 5000 },
  'delete-message': { limit: 5, windowMs: 1000 },
  'list-messages': { limit: 5, windowMs: 5000 },
  'execute-webhook': { limit: 5, windowMs: 2000 },
  'member-roles': { limit: 10, windowMs: 10_000 },
  'list-members': { limit: 10, windowMs: 10_000 },
  commands: { limit: 5, windowMs: 20_000 },
  gateway: { limit: 2, windowMs: 5000 },
};
const otherBucket: BucketSize = { limit: 50, windowMs: 1000 };

export interface RateLimitSettings {
  readonly buckets: Readonly<Record<string, BucketSize>>;
  readonly globalPerSecond: number;
  /** 401, 403 and 429 answers in ten minutes, after which the address is banned for a while. */
  readonly invalidRequests: number;
}

export interface Throttled {
  readonly retryAfterMs: number;
  readonly scope: 'user' | 'global' | 'shared';
}

export interface Verdict {
  readonly headers: Readonly<Record<string, string>>;
  readonly throttled: Throttled | null;
}

const globalWindowMs = 1000;
const invalidWindowMs = 10 * 60_000;

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Fixed-length windows, each of which begins with its first request. */
export const createRateLimits = (settings: () => RateLimitSettings, now: () => number) => {
  const windows = new Map<string, { used: number; endsAt: number }>();
  const invalidAt: number[] = [];
  const take = (key: string, { limit, windowMs }: BucketSize) => {
    let window = windows.get(key);
    if (!window || window.endsAt <= now()) {
      window = { used: 0, endsAt: now() + windowMs };
      windows.set(key, window);
    }
    const isTaken = window.used < limit;
    if (isTaken) window.used += 1;
    return { isTaken, remaining: limit - window.used, leftMs: window.endsAt - now() };
  };

  return {
    /** The limit of one application; the endpoints of interactions are exempt. */
    takeGlobal(): Throttled | null {
      const size = { limit: settings().globalPerSecond, windowMs: globalWindowMs };
      const { isTaken, leftMs } = take('global', size);
      return isTaken ? null : { retryAfterMs: leftMs, scope: 'global' };
    },
    /** A bucket counts separately for each top-level resource (channel, guild, webhook). */
    take(bucket: string, resource: string): Verdict {
      const size = settings().buckets[bucket] ?? otherBucket;
      const { isTaken, remaining, leftMs } = take(`${bucket}:${resource}`, size);
      const headers = {
        'X-RateLimit-Limit': String(size.limit),
        'X-RateLimit-Remaining': String(remaining),
        'X-RateLimit-Reset': seconds(now() + leftMs),
        'X-RateLimit-Reset-After': seconds(leftMs),
        'X-RateLimit-Bucket': createHash('md5').update(bucket).digest('hex'),
      };
      return { headers, throttled: isTaken ? null : { retryAfterMs: leftMs, scope: 'user' } };
    },
    countInvalid(): void {
      invalidAt.push(now());
    },
    get invalidRequests(): number {
      while ((invalidAt[0] ?? Number.POSITIVE_INFINITY) <= now() - invalidWindowMs) invalidAt.shift();
      return invalidAt.length;
    },
    get isBanned(): boolean {
      return this.invalidRequests >= settings().invalidRequests;
    },
  };
};

/** https://docs.discord.com/developers/topics/rate-limits#exceeding-a-rate-limit */
export const throttledAnswer = ({ retryAfterMs, scope }: Throttled) => ({
  headers: {
    'Retry-After': String(Math.ceil(retryAfterMs / 1000)),
    'X-RateLimit-Scope': scope,
    ...(scope === 'global' && { 'X-RateLimit-Global': 'true' }),
  },
  body: {
    message: scope === 'shared' ? 'The resource is being rate limited.' : 'You are being rate limited.',
    retry_after: Number(seconds(retryAfterMs)),
    global: scope === 'global',
  },
});
