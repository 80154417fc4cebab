import { countRequests } from '../rate-limits/counting-statement.ts';

/**
 * A first activation in one round trip: count the request, find the license, and bind it if it is free: active, without
 * a machine and without a pending transfer. One row is returned.
 *
 * A license that another transaction has locked is skipped rather than waited for: the snapshot would be older than
 * what that transaction writes. A license that is found here but not bound is decided under the lock of its row (`bind`
 * in activation.ts). A license that may not be activated is neither found nor locked: it costs the same as an unknown
 * key.
 *
 * $1 address, $2 hash of the key, $3 now, $4 HWID, $5 instance id, $6 version, $7 data of the event
 */
export const activationStatement = `
  with request as (select $1::text as address
  ), counted as (${countRequests('activate')}
  ), license as materialized (
    select id, tenant_id, tier, features, max_clusters, buyer_email, purchase_id, expires_at
    from licenses
    where key_hash = $2 and status = 'active' and (expires_at > $3) is not false
      and not exists (
        select from hwid_transfers where license_id = licenses.id and state = 'pending' and to_hwid <> $4
      )
      and (select granted from counted) > 0
  ), free as materialized (
    select licenses.id
    from licenses
    where licenses.id = (select id from license)
      and status = 'active' and (expires_at > $3) is not false
      and not exists (select from machines where license_id = licenses.id)
      and not exists (select from hwid_transfers where license_id = licenses.id and state = 'pending')
    for no key update of licenses skip locked
  ), bound as (
    insert into machines (license_id, hwid, instance_id, version, bound_at)
    select id, $4, $5::uuid, $6, $3 from free
    on conflict (license_id) do nothing
    returning license_id
  ), noted as (
    insert into license_events (license_id, kind, actor, data, at)
    select license_id, 'activated', 'client', $7::jsonb, $3 from bound
  )
  select counted.granted, counted.wait_ms::float8 as wait_ms, bound.license_id is not null as is_bound, license.*
  from counted left join license on true left join bound on true`;
