import { type BucketLimits, createTokenBuckets } from './token-buckets.ts';

export interface Try<Scope extends string> {
  readonly scope: Scope;
  /** The account, address or the like that it counts against. */
  readonly subject: string;
}

/** Budgets of tries, one for each scope and subject; in memory (`createThrottle`) or in SQL (`createSqlThrottle`). */
export interface Throttle<Scope extends string> {
  /**
   * Takes one try from each budget, or none when one of them is empty: a refused try must not keep other budgets empty. Each
   * scope appears once.
   * @returns 0 when it took them, else milliseconds until each budget has a try
   */
  take(tries: readonly Try<Scope>[]): number | Promise<number>;
  /** For tries that were not failures. */
  giveBack(tries: readonly Try<Scope>[]): void | Promise<void>;
}

export type BudgetLimits<Scope extends string> = Readonly<Record<Scope, BucketLimits>>;

interface MemoryThrottle<Scope extends string> extends Throttle<Scope> {
  take(tries: readonly Try<Scope>[]): number;
  giveBack(tries: readonly Try<Scope>[]): void;
}

export const createThrottle = <Scope extends string>(
  limits: BudgetLimits<Scope>,
  now: () => number,
): MemoryThrottle<Scope> => {
  const scopes = Object.keys(limits) as Scope[];
  const buckets = new Map(scopes.map((scope) => [scope, createTokenBuckets(limits[scope], now)]));
  const budgetsOf = (tries: readonly Try<Scope>[]) =>
    tries.flatMap(({ scope, subject }) => {
      const bucket = buckets.get(scope);
      return bucket ? [{ bucket, subject }] : [];
    });
  return {
    take(tries) {
      const budgets = budgetsOf(tries);
      const waitMs = Math.max(0, ...budgets.map(({ bucket, subject }) => bucket.waitMs(subject)));
      if (waitMs === 0) for (const { bucket, subject } of budgets) bucket.take(subject);
      return waitMs;
    },
    giveBack(tries) {
      for (const { bucket, subject } of budgetsOf(tries)) bucket.giveBack(subject);
    },
  };
};
