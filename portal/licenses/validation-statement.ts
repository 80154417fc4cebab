import { countRequests } from '../rate-limits/counting-statement.ts';

/**
 * The whole daily check of a batch of requests in one round trip: count the request, find the license, decide, and
 * record when the machine was last seen. One row is returned per request, in order.
 *
 * The order of the `case` is the order of refusals. A machine that another statement is writing at this moment is
 * skipped rather than waited for (the other statement records its time), so that no deadlock can occur.
 *
 * The arrays come from subqueries, so that the planner does not see their lengths: a generic plan then looks as cheap
 * as a specific one, and Postgres keeps it instead of planning every small batch again, which takes longer than the
 * batch itself.
 *
 * $1 addresses, $2 license ids (null: the token proves nothing), $3 key ids, $4 tenant ids, $5 HWIDs, $6 now
 */
export const validationStatement = `
  with request as materialized (
    select *, row_number() over (partition by address order by position) as turn
    from unnest(
      (select $1::text[]), (select $2::text[]), (select $3::text[]), (select $4::text[]), (select $5::text[])
    ) with ordinality as sent(address, license_id, kid, tenant_id, hwid, position)
  ), counted as (${countRequests('validate')}
  ), answer as materialized (
    select
      request.position, request.license_id,
      request.turn <= counted.granted as accepted, counted.wait_ms,
      case
        when license.id is null or signing_key.struck_at is not null then 'UNAUTHORIZED'
        when license.status = 'revoked' then 'REVOKED'
        when license.status = 'suspended' then 'SUSPENDED'
        when license.expires_at <= $6 then 'EXPIRED'
        when machine.hwid is distinct from request.hwid then 'HWID_MISMATCH'
      end as refusal,
      license.status_reason, license.tier, license.features, license.max_clusters, license.buyer_email,
      license.purchase_id, license.expires_at
    from request
    join counted using (address)
    left join signing_keys as signing_key on signing_key.kid = request.kid
    left join licenses as license on license.id = request.license_id and license.tenant_id = request.tenant_id
    left join machines as machine on machine.license_id = license.id
  ), seen as (
    select machine.license_id
    from machines as machine
    where machine.license_id = any (array(select license_id from answer where accepted and refusal is null))
    for no key update skip locked
  ), noted as (
    update machines set last_validated_at = $6 from seen where machines.license_id = seen.license_id
  )
  select accepted, wait_ms::float8 as wait_ms, refusal, status_reason, tier, features, max_clusters, buyer_email,
    purchase_id, expires_at
  from answer
  order by position`;
