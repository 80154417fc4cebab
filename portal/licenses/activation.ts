import type { Kysely, Transaction } from 'kysely';
import type pg from 'pg';
import { hasValidCheck } from '#contracts/license-key.ts';
import type { ActivateRequest } from '#contracts/licenses.ts';
import type { Clock } from '../clock.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';
import { limitConcurrency } from '../database/limit-concurrency.ts';
import type { PortalTables } from '../database/tables.ts';
import { undoWhen } from '../database/undo-when.ts';
import { countRequests } from '../rate-limits/counting-statement.ts';
import { createWaitingAddresses } from '../rate-limits/waiting-addresses.ts';
import { completeTransfer } from '../transfers/complete-transfer.ts';
import type { TransferMails } from '../transfers/transfer-mails.ts';
import { decideActivation } from './activation-rules.ts';
import type { LicenseAnswer } from './license-answer.ts';
import { recordEvent } from './license-events.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';
import type { LicenseTokens } from './license-token.ts';
import type { LicenseRow } from './licenses.tables.ts';

export interface ActivationOptions {
  readonly pool: pg.Pool;
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly tokens: LicenseTokens;
  readonly clock: Clock;
  readonly transferMails: TransferMails;
}

const countingStatement = `
  with request as (select $1::text as address), counted as (${countRequests('activate')})
  select granted, wait_ms::float8 as wait_ms from counted`;

/** Simultaneous activations of one license wait for its row; they must not take the whole pool while they do. */
const maxConnections = 4;
const maxWaiting = 1024;

const unauthorized = { outcome: 'refused', code: 'UNAUTHORIZED' } as const;

/** First activation. Every request counts against its address, whatever comes of it. */
export const createActivation = (options: ActivationOptions) => {
  const { pool, db, vault, tokens, clock, transferMails } = options;
  const waiting = createWaitingAddresses(clock);
  const inTurn = limitConcurrency({
    maxRunning: maxConnections,
    maxWaiting,
    isHopeless: isDatabaseUnavailable,
  });

  /** The count stands by itself: a refusal or a failure later on must not take it back. */
  const count = async (address: string): Promise<LicenseAnswer | null> => {
    const { rows } = await pool.query<{ granted: number; wait_ms: number }>({
      name: 'count-activation',
      text: countingStatement,
      values: [address],
    });
    const [counted] = rows;
    if (counted && counted.granted > 0) return null;
    return { outcome: 'rate-limited', retryAfterSeconds: waiting.remember(address, counted?.wait_ms ?? 0) };
  };

  return async (request: ActivateRequest, address: string): Promise<LicenseAnswer> => {
    const secondsLeft = waiting.secondsLeft(address);
    if (secondsLeft !== null) return { outcome: 'rate-limited', retryAfterSeconds: secondsLeft };
    return inTurn(async () => {
      const overLimit = await count(address);
      if (overLimit) return overLimit;
      if (!hasValidCheck(request.licenseKey)) return unauthorized;
      const keyHash = vault.hash(request.licenseKey);
      const bound = await undoWhen(db, isUnauthorized, (trx) =>
        bind(trx, transferMails, keyHash, request, clock.now()),
      );
      if (!('license' in bound)) return bound;
      const { license } = bound;
      const subject = {
        sub: license.id,
        tier: license.tier,
        tenantId: license.tenant_id,
        hwid: request.hwid,
        features: license.features,
        maxClusters: license.max_clusters,
        buyerEmail: license.buyer_email,
        purchaseId: license.purchase_id,
      };
      return { outcome: 'token', response: tokens.sign(subject, clock.now()) };
    });
  };
};

type Bound = { readonly license: LicenseRow } | Extract<LicenseAnswer, { outcome: 'refused' }>;

/**
 * A key that is not known and one that may not be activated get the same answer, and are not to be told apart by the
 * time that it takes: a commit would wait for the disk where a row was locked, a rollback does not.
 */
const isUnauthorized = (bound: Bound): boolean => !('license' in bound) && bound.code === 'UNAUTHORIZED';

/** Decides under the lock of the license's row: of any number of machines at once one wins, the others see it. */
const bind = async (
  trx: Transaction<PortalTables>,
  transferMails: TransferMails,
  keyHash: Buffer,
  { hwid, instanceId, version }: ActivateRequest,
  now: Date,
): Promise<Bound> => {
  const license = await trx
    .selectFrom('licenses')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .forNoKeyUpdate()
    .executeTakeFirst();

  // A statement of its own: only one that begins after the lock was taken sees what the holder before us wrote. An
  // unknown key costs it as well.
  const binding = await trx
    .selectFrom('licenses')
    .leftJoin('machines', 'machines.license_id', 'licenses.id')
    .leftJoin('hwid_transfers', (join) =>
      join.onRef('hwid_transfers.license_id', '=', 'licenses.id').on('hwid_transfers.state', '=', 'pending'),
    )
    .select(['machines.hwid', 'hwid_transfers.id as transfer_id', 'hwid_transfers.to_hwid'])
    .where('licenses.id', '=', license?.id ?? '')
    .executeTakeFirst();
  if (!license || !binding) return unauthorized;
  const facts = {
    status: license.status,
    expiresAt: license.expires_at,
    boundHwid: binding.hwid,
    transferHwid: binding.to_hwid,
  };
  const decision = decideActivation(facts, hwid, now);
  const event = { licenseId: license.id, actor: 'client', at: now } as const;

  if (!decision.allowed) {
    if (decision.code === 'HWID_MISMATCH')
      await recordEvent(trx, { ...event, kind: 'activation_refused', data: { hwid, instanceId, version } });
    return { outcome: 'refused', code: decision.code };
  }

  const client = { hwid, instance_id: instanceId, version };
  const rebinding =
    decision.binding === 'same' ? client : { ...client, bound_at: now, last_validated_at: null };
  await trx
    .insertInto('machines')
    .values({ ...client, license_id: license.id, bound_at: now, last_validated_at: null })
    .onConflict((conflict) => conflict.column('license_id').doUpdateSet(rebinding))
    .execute();
  if (binding.transfer_id !== null)
    await completeTransfer(trx, transferMails, {
      transferId: binding.transfer_id,
      license,
      fromHwid: binding.hwid,
      toHwid: hwid,
      at: now,
    });
  const data = { hwid, instanceId, version, binding: decision.binding };
  await recordEvent(trx, { ...event, kind: 'activated', data });
  return { license };
};
