import { type RawBuilder, sql } from 'kysely';

/**
 * By which an end is over: now, less what a clock that went forward at once is not believed yet since the first of its open grants
 * was given. What a person has bought is taken for good.
 */
export const provenBy = (now: Date, ids: RawBuilder<unknown>): RawBuilder<Date> =>
  sql<Date>`${now}::timestamptz - castellan_unproven_time((
    select min(given.given_at) from entitlement_grants as given
     where given.entitlement_id = ${ids} and given.revoked_at is null and given.ended_at is null))`;
