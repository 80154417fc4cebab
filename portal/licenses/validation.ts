import type pg from 'pg';
import type { RefusalCode } from '#contracts/license-refusals.ts';
import type { ValidateRequest } from '#contracts/licenses.ts';
import type { Clock } from '#runtime/clock.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { createMicroBatch } from '../database/micro-batch.ts';
import { createWaitingAddresses } from '../rate-limits/waiting-addresses.ts';
import type { LicenseAnswer } from './license-answer.ts';
import type { LicenseTokens } from './license-token.ts';
import { validationStatement } from './validation-statement.ts';

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

export interface ValidationOptions {
  readonly pool: pg.Pool;
  readonly tokens: LicenseTokens;
  readonly clock: Clock;
}

/** The next batch collects while one is under way; a second statement at the same time would make both smaller. */
const maxInFlight = 1;
const maxRows = 128;
/** A healthy database handles this many in well under a second. */
const maxWaiting = 4096;

/** The daily check. Every request counts against its address, whatever its outcome. */
export const createValidation = ({ pool, tokens, clock }: ValidationOptions) => {
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
