import { type Kysely, sql, type Transaction } from 'kysely';
import { tokenDigest } from '#runtime/auth/secret-token.ts';
import type { BucketLimits } from '#runtime/throttle/token-buckets.ts';
import type { PortalTables } from '../../database/tables.ts';
import { undoWhen } from '../../database/undo-when.ts';

/**
 * Whoever has signed in before with the same browser has a budget of their own: the failures of others, from however many
 * addresses, keep strangers out and never the true owner. At the rate of `code` a year of guessing by somebody who
 * knows the password finds one code in twenty.
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
} as const satisfies Readonly<Record<string, BucketLimits>>;

export interface Try {
  readonly scope: keyof typeof budgets;
  /** Whom it counts against; kept as a hash. */
  readonly subject: string;
}

/** No budget takes longer to be full again. */
export const longestRefillSeconds = Math.max(
  ...Object.values(budgets).map(({ capacity, refillMs }) => (capacity * refillMs) / 1000),
);

export interface RateLimited {
  readonly outcome: 'rate-limited';
  readonly retryAfterSeconds: number;
}

/**
 * Takes one try from each budget, or none when one of them is empty. The time is the database's, which all portal
 * processes share; rows are locked in one order, so that no circle of waiting can form. A refused try is rolled back:
 * names and addresses that somebody makes up without end leave no rows.
 */
export const takeTry = async (
  db: Kysely<PortalTables>,
  tries: readonly Try[],
): Promise<RateLimited | null> => {
  const secondsLeft = await undoWhen<number>(
    db,
    (seconds) => seconds > 0,
    (trx) => takeTokens(trx, tries),
  );
  return secondsLeft > 0 ? { outcome: 'rate-limited', retryAfterSeconds: secondsLeft } : null;
};

/** @returns seconds until every budget has a try; 0 when one was taken from each */
const takeTokens = async (trx: Transaction<PortalTables>, tries: readonly Try[]): Promise<number> => {
  const { capacities, refills, scopes, subjects } = columnsOf(tries);
  const { rows } = await sql<{ scope: Try['scope']; tokens: number }>`
      with wanted as (
        select * from unnest(${scopes}::text[], ${subjects}::bytea[], ${capacities}::float8[], ${refills}::float8[])
          as wanted(scope, subject, capacity, refill)
      )
      insert into vendor_attempts as budget (scope, subject, tokens, counted_at)
      select scope, subject, capacity, statement_timestamp() from wanted order by scope, subject
      on conflict (scope, subject) do update set
        tokens = (
          select least(capacity, budget.tokens + greatest(0, extract(epoch from excluded.counted_at - budget.counted_at)) / refill)
          from wanted where wanted.scope = budget.scope
        ),
        counted_at = excluded.counted_at
      returning scope, tokens`.execute(trx);
  const waits = rows.map(({ scope, tokens }) => ((1 - tokens) * budgets[scope].refillMs) / 1000);
  const secondsLeft = Math.ceil(Math.max(0, ...waits));
  if (secondsLeft === 0) await addTokens(trx, tries, -1);
  return secondsLeft;
};

/** It was no failure. */
export const giveBackTry = (db: Kysely<PortalTables>, tries: readonly Try[]): Promise<void> =>
  addTokens(db, tries, 1);

const addTokens = async (db: Kysely<PortalTables>, tries: readonly Try[], tokens: 1 | -1): Promise<void> => {
  const { scopes, subjects, capacities } = columnsOf(tries);
  await sql`
    with wanted as (
      select budget.scope, budget.subject, capacity
      from unnest(${scopes}::text[], ${subjects}::bytea[], ${capacities}::float8[]) as wanted(scope, subject, capacity)
      join vendor_attempts as budget using (scope, subject)
      order by scope, subject
      for no key update of budget
    )
    update vendor_attempts as budget set tokens = least(capacity, tokens + ${tokens}::float8)
    from wanted where budget.scope = wanted.scope and budget.subject = wanted.subject`.execute(db);
};

const columnsOf = (tries: readonly Try[]) => ({
  scopes: tries.map(({ scope }) => scope),
  subjects: tries.map(({ subject }) => tokenDigest(subject)),
  capacities: tries.map(({ scope }) => budgets[scope].capacity),
  refills: tries.map(({ scope }) => budgets[scope].refillMs / 1000),
});
