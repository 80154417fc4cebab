import { type Kysely, sql } from 'kysely';
import type { PortalTables } from '../../database/tables.ts';
import type { FigureSteps } from './figure-steps.ts';

/** Licenses of one step. */
export interface LicenseStep {
  /** At the end of the step, or now. */
  readonly active: number;
  readonly issued: number;
  /** They expired, and were not extended since. */
  readonly ended: number;
  /** Revoked because their payment was refunded. */
  readonly refunded: number;
  /** Revoked by the vendor. */
  readonly revoked: number;
}

interface FlowRow {
  step: number;
  change: number;
  issued: number;
  ended: number;
  refunded: number;
  revoked: number;
}

/** An expiry in an event; the year 10000, which people write for "never", has a leading plus in JSON. */
const expiryIn = (side: 'from' | 'to') => sql`ltrim(data->${sql.lit(side)}->>'expiresAt', '+0')::timestamptz`;

/**
 * How many licenses were active at the end of each step, and how many began and ended. A license was active from one
 * change to the next, or to the expiry that applied then; a license that never changed has one such period. The
 * beginnings minus the ends up to a moment are the licenses active at it.
 */
export const readLicenseFlow = async (
  db: Kysely<PortalTables>,
  { bounds }: FigureSteps,
  now: Date,
): Promise<readonly LicenseStep[]> => {
  const { rows } = await sql<FlowRow>`
    with change as materialized (
      select
        license_id collate "C" as license_id, id, at, actor, kind, data->'to'->>'status' as status,
        data->'to' ? 'expiresAt' as sets_expiry, ${expiryIn('to')} as expires_at,
        data->'from' ? 'expiresAt' as tells_expiry, ${expiryIn('from')} as told_expires_at
      from license_events
      where kind in ('suspended', 'resumed', 'revoked', 'extended', 'subscription_ended')
    ), first_told as (
      select distinct on (license_id) license_id, told_expires_at
      from change where tells_expiry order by license_id, id
    ), changed as (
      select license_id, id, at, status, sets_expiry, expires_at from change
      union all
      select licenses.id collate "C", 0, created_at, 'active', true,
        case when first_told.license_id is null then licenses.expires_at else told_expires_at end
      from licenses left join first_told on first_told.license_id = licenses.id
      where licenses.id in (select license_id from change)
    ), grouped as (
      select *,
        count(status) over (partition by license_id order by id) as status_group,
        count(*) filter (where sets_expiry) over (partition by license_id order by id) as expiry_group
      from changed
    ), state as (
      select license_id, at,
        first_value(status) over (partition by license_id, status_group order by id) as status,
        first_value(expires_at) over (partition by license_id, expiry_group order by id) as expires_at,
        lead(at) over (partition by license_id order by id) as until
      from grouped
    ), active as (
      select at as begins, least(until, expires_at) as ends from state where status = 'active'
      union all
      select created_at, expires_at from licenses
      where status = 'active' and id not in (select license_id from change)
    ), mark as (
      select begins as at, 1 as change, 0 as issued, 0 as ended, 0 as refunded, 0 as revoked
      from active where ends is null or ends > begins
      union all
      select ends, -1, 0, 0, 0, 0 from active where ends > begins
      union all
      select created_at, 0, 1, 0, 0, 0 from licenses
      union all
      select expires_at, 0, 0, 1, 0, 0 from licenses where status <> 'revoked' and expires_at <= ${now}
      union all
      select at, 0, 0, 0, (actor = 'gateway')::int, (actor <> 'gateway')::int from change where kind = 'revoked'
    )
    select
      width_bucket(at, ${bounds}::timestamptz[]) - 1 as step,
      sum(change)::int as change, sum(issued)::int as issued, sum(ended)::int as ended,
      sum(refunded)::int as refunded, sum(revoked)::int as revoked
    from mark where at <= ${now}
    group by 1`.execute(db);
  const of = new Map(rows.map((row) => [row.step, row]));
  let active = of.get(-1)?.change ?? 0;
  return Array.from({ length: bounds.length - 1 }, (_, step): LicenseStep => {
    const { change = 0, issued = 0, ended = 0, refunded = 0, revoked = 0 } = of.get(step) ?? {};
    active += change;
    return { active, issued, ended, refunded, revoked };
  });
};

/** How many active licenses expire in each step, including those that a subscription will renew. */
export const readExpiring = async (
  db: Kysely<PortalTables>,
  { bounds }: FigureSteps,
  now: Date,
): Promise<readonly number[]> => {
  const { rows } = await sql<{ step: number; licenses: number }>`
    select width_bucket(expires_at, ${bounds}::timestamptz[]) - 1 as step, count(*)::int as licenses
    from licenses
    where status = 'active' and expires_at > ${now} and expires_at < ${bounds.at(-1)}
    group by 1`.execute(db);
  const of = new Map(rows.map(({ step, licenses }) => [step, licenses]));
  return Array.from({ length: bounds.length - 1 }, (_, step) => of.get(step) ?? 0);
};
