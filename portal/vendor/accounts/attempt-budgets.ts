import type { Kysely } from 'kysely';
import { createSqlThrottle, type SqlThrottle } from '#runtime/throttle/sql-throttle.ts';
import type { BudgetLimits, Try as TryOf } from '#runtime/throttle/throttle.ts';
import type { PortalTables } from '../../database/tables.ts';

/**
 * A browser that has signed in before has its own budget: the failures of others, from however many addresses, keep out
 * strangers but never the true owner. At the rate of `code`, a thief who knows the password finds one code in twenty
 * within a year of guessing.
 */
const budgets = {
  device: { capacity: 10, refillMs: 30_000 },
  pair: { capacity: 5, refillMs: 60_000 },
  address: { capacity: 20, refillMs: 30_000 },
  account: { capacity: 10, refillMs: 30_000 },
  everybody: { capacity: 60, refillMs: 1_000 },
  code: { capacity: 10, refillMs: 1_800_000 },
  'code-device': { capacity: 10, refillMs: 600_000 },
  'setup-address': { capacity: 5, refillMs: 60_000 },
  'setup-everybody': { capacity: 30, refillMs: 10_000 },
} as const satisfies BudgetLimits<string>;

type Scope = keyof typeof budgets;
export type Try = TryOf<Scope>;

export interface RateLimited {
  readonly outcome: 'rate-limited';
  readonly retryAfterSeconds: number;
}

export interface VendorThrottle extends Pick<SqlThrottle<Scope>, 'giveBack' | 'forgetFull'> {
  take(tries: readonly Try[]): Promise<RateLimited | null>;
}

export const createVendorThrottle = (db: Kysely<PortalTables>): VendorThrottle => {
  const throttle = createSqlThrottle({ db, table: 'vendor_attempts', limits: budgets });
  return {
    ...throttle,
    async take(tries) {
      const waitMs = await throttle.take(tries);
      return waitMs > 0 ? { outcome: 'rate-limited', retryAfterSeconds: Math.ceil(waitMs / 1000) } : null;
    },
  };
};
