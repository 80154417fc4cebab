import type pg from 'pg';
import type { RefusalCode } from '#contracts/license/license-refusals.ts';
import type { ValidateRequest } from '#contracts/license/licenses.ts';
import type { Clock } from '#runtime/clock.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { createMicroBatch } from '../database/micro-batch.ts';
import { countRequests } from '../rate-limits/counting-statement.ts';
import { createWaitingAddresses } from '../rate-limits/waiting-addresses.ts';
import type { LicenseAnswer } from './license-answer.ts';
import type { LicenseTokens } from './license-token.ts';

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
const validationStatement = `
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

/** A request as input of the statement. */
interface ValidationRow {
  readonly address: string;
  /** Null if the token proves nothing. */
  readonly licenseId: string | null;
  readonly kid: string | null;
  readonly tenantId: string;
  readonly hwid: string;
}

interface ValidationResult {
  readonly accepted: boolean;
  readonly wait_ms: number;
  readonly refusal: RefusalCode | 'UNAUTHORIZED' | null;
  /** What the vendor told the customer when suspending or revoking the license. */
  readonly status_reason: string | null;
  readonly tier: string;
  readonly features: string[];
  readonly max_clusters: number | null;
  readonly buyer_email: string;
  readonly purchase_id: string;
  readonly expires_at: Date | null;
}

/** The next batch collects while one is under way; a second statement at the same time would make both smaller. */
const maxInFlight = 1;
const maxRows = 128;
/** A healthy database handles this many in well under a second. */
const maxWaiting = 4096;

/** The daily check. Every request counts against its address, whatever its outcome. */
export const createValidation = ({
  pool,
  tokens,
  clock,
}: {
  readonly pool: pg.Pool;
  readonly tokens: LicenseTokens;
  readonly clock: Clock;
}) => {
  const waiting = createWaitingAddresses(clock);
  const ask = createMicroBatch(
    async (rows: readonly ValidationRow[]) => {
      const result = await pool.query<ValidationResult>({
        name: 'validate',
        text: validationStatement,
        values: [
          rows.map((row) => row.address),
          rows.map((row) => row.licenseId),
          rows.map((row) => row.kid),
          rows.map((row) => row.tenantId),
          rows.map((row) => row.hwid),
          clock.now(),
        ],
      });
      return result.rows;
    },
    { maxInFlight, maxRows, maxWaiting, isHopeless: isDatabaseUnavailable },
  );

  return async ({ token, tenantId, hwid }: ValidateRequest, address: string): Promise<LicenseAnswer> => {
    const secondsLeft = waiting.secondsLeft(address);
    if (secondsLeft !== null) return { outcome: 'rate-limited', retryAfterSeconds: secondsLeft };

    const proven = (await tokens.read(token)) ?? (await tokens.readWithNewKey(token));
    const isOwner = proven !== null && proven.claims.tenantId === tenantId;
    const licenseId = isOwner ? proven.claims.sub : null;
    const row = await ask({ address, licenseId, kid: proven?.kid ?? null, tenantId, hwid });

    if (!row.accepted)
      return { outcome: 'rate-limited', retryAfterSeconds: waiting.remember(address, row.wait_ms) };
    if (row.refusal !== null || licenseId === null)
      return { outcome: 'refused', code: row.refusal ?? 'UNAUTHORIZED', reason: row.status_reason };
    const subject = {
      sub: licenseId,
      tier: row.tier,
      tenantId,
      hwid,
      features: row.features,
      maxClusters: row.max_clusters,
      buyerEmail: row.buyer_email,
      purchaseId: row.purchase_id,
    };
    const response = await tokens.sign(subject, clock.now());
    return { outcome: 'token', response, endsAt: row.expires_at };
  };
};
