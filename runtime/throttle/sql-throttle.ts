import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { tokenDigest } from '../auth/secret-token.ts';
import { rollBackWhen } from '../database/roll-back-when.ts';
import type { BudgetLimits, Throttle, Try } from './throttle.ts';

export interface SqlThrottle<Scope extends string> extends Throttle<Scope> {
  take(tries: readonly Try<Scope>[]): Promise<number>;
  giveBack(tries: readonly Try<Scope>[]): Promise<void>;
  /** Deletes budgets that are full again. */
  forgetFull(): Promise<void>;
}

/**
 * Subjects are stored as hashes. The database's clock counts, which all processes share; rows are locked in one order, so that no
 * deadlock can form. A refused try is rolled back: an endless series of made-up names and addresses leaves no rows.
 */
export const createSqlThrottle = <Tables, Scope extends string>({
  db,
  table: name,
  limits,
}: {
  readonly db: Kysely<Tables>;
  /** `scope text, subject bytea, tokens double precision, counted_at timestamptz, primary key (scope, subject)` */
  readonly table: string;
  readonly limits: BudgetLimits<Scope>;
}): SqlThrottle<Scope> => {
  const table = sql.table(name);
  const columnsOf = (tries: readonly Try<Scope>[]) => ({
    scopes: tries.map(({ scope }) => scope),
    subjects: tries.map(({ subject }) => tokenDigest(subject)),
    capacities: tries.map(({ scope }) => limits[scope].capacity),
    refills: tries.map(({ scope }) => limits[scope].refillMs / 1000),
  });

  const addTokens = async (
    on: QueryExecutorProvider,
    tries: readonly Try<Scope>[],
    tokens: 1 | -1,
  ): Promise<void> => {
    const { scopes, subjects, capacities } = columnsOf(tries);
    await sql`
      with wanted as (
        select budget.scope, budget.subject, capacity
        from unnest(${scopes}::text[], ${subjects}::bytea[], ${capacities}::float8[]) as wanted(scope, subject, capacity)
        join ${table} as budget using (scope, subject)
        order by scope, subject
        for no key update of budget
      )
      update ${table} as budget set tokens = least(capacity, tokens + ${tokens}::float8)
      from wanted where budget.scope = wanted.scope and budget.subject = wanted.subject`.execute(on);
  };

  const takeTokens = async (trx: QueryExecutorProvider, tries: readonly Try<Scope>[]): Promise<number> => {
    const { capacities, refills, scopes, subjects } = columnsOf(tries);
    const { rows } = await sql<{ scope: Scope; tokens: number }>`
      with wanted as (
        select * from unnest(${scopes}::text[], ${subjects}::bytea[], ${capacities}::float8[], ${refills}::float8[])
          as wanted(scope, subject, capacity, refill)
      )
      insert into ${table} as budget (scope, subject, tokens, counted_at)
      select scope, subject, capacity, statement_timestamp() from wanted order by scope, subject
      on conflict (scope, subject) do update set
        tokens = (
          -- Refused tries are rolled back, so a time that the clock stored while it was ahead would lock out until then.
          select case when budget.counted_at > excluded.counted_at + make_interval(secs => capacity * refill) then capacity
            else least(capacity, budget.tokens + greatest(0, extract(epoch from excluded.counted_at - budget.counted_at)) / refill) end
          from wanted where wanted.scope = budget.scope
        ),
        counted_at = excluded.counted_at
      returning scope, tokens`.execute(trx);
    const waitsMs = rows.map(({ scope, tokens }) => (1 - tokens) * limits[scope].refillMs);
    const waitMs = Math.ceil(Math.max(0, ...waitsMs));
    if (waitMs === 0) await addTokens(trx, tries, -1);
    return waitMs;
  };

  return {
    take: (tries) =>
      rollBackWhen<Tables, number>(
        db,
        (waitMs) => waitMs > 0,
        (trx) => takeTokens(trx, tries),
      ),
    giveBack: (tries) => addTokens(db, tries, 1),
    async forgetFull() {
      const budgets: readonly { capacity: number; refillMs: number }[] = Object.values(limits);
      const longestRefillSeconds = Math.max(
        ...budgets.map(({ capacity, refillMs }) => (capacity * refillMs) / 1000),
      );
      // A row that is being counted is left for the next time: waiting for it here could cause a deadlock.
      await sql`
        delete from ${table} where (scope, subject) in (
          select scope, subject from ${table}
          where counted_at < now() - make_interval(secs => ${longestRefillSeconds})
          for update skip locked
        )`.execute(db);
    },
  };
};
