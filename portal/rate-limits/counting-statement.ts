import { licenseRateLimits } from '#contracts/license/licenses.ts';

export type RateLimitScope = keyof typeof licenseRateLimits;

/**
 * Counts requests, as the body of a CTE in the statement that answers them, so that it costs no extra round trip. It
 * reads a relation `request` with a column `address`, one row per request, and returns a row per address:
 * - `granted`: how many of its requests fit; the first ones in the batch pass
 * - `wait_ms`: milliseconds until the next one would fit, once none does
 *
 * A true sliding window: the row of an address holds the times of the requests accepted in the last minute. Refused
 * ones leave no trace. Rows are locked in the order of the addresses, so that no two statements can deadlock. The time
 * is the database's: the one clock that all portal processes share. Timestamps in the future (its clock was set back)
 * do not count for longer than a minute.
 */
export const countRequests = (scope: RateLimitScope): string => {
  const limit = licenseRateLimits[scope];
  return `
    insert into rate_counters as counter (scope, address, accepted_at, granted)
    select '${scope}', address, array_fill(statement_timestamp(), array[asked]), asked
    from (select address, least(count(*), ${limit})::int as asked from request group by address) as address
    order by address
    on conflict (scope, address) do update set (accepted_at, granted) = (
      select recent || array_fill(statement_timestamp(), array[fitting]), fitting
      from (
        select array(
          select stamp from unnest(counter.accepted_at) as stamp
          where stamp > statement_timestamp() - interval '1 minute'
            and stamp < statement_timestamp() + interval '1 minute'
        ) as recent
      ) as kept,
      lateral (select greatest(least(excluded.granted, ${limit} - cardinality(recent)), 0) as fitting) as room
    )
    returning address, granted,
      extract(epoch from accepted_at[1] + interval '1 minute' - statement_timestamp()) * 1000 as wait_ms`;
};
