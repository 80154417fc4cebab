import type { Kysely, Transaction } from 'kysely';
import type pg from 'pg';
import { hasValidCheck } from '#contracts/license/license-key.ts';
import type { ActivateRequest } from '#contracts/license/licenses.ts';
import type { Clock } from '#runtime/clock.ts';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import { databaseTasks } from '../database/database-fault.ts';
import type { LicenseRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { createWaitingAddresses } from '../rate-limits/waiting-addresses.ts';
import { activationStatement } from './activation-statement.ts';
import type { LicenseAnswer } from './license-answer.ts';
import { recordEvent } from './license-events.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';
import type { LicenseStatus } from './license-status.ts';
import type { LicenseTokens } from './license-token.ts';

interface ActivationFacts {
  readonly status: LicenseStatus;
  readonly expiresAt: Date | null;
  /** The machine that the license is bound to. */
  readonly boundHwid: string | null;
  /** The machine that a pending transfer names. */
  readonly transferHwid: string | null;
}

type ActivationDecision =
  | { readonly allowed: true; readonly binding: 'first' | 'same' | 'transfer' }
  | { readonly allowed: false; readonly code: 'UNAUTHORIZED' | 'HWID_MISMATCH' };

const decideActivation = (facts: ActivationFacts, hwid: string, now: Date): ActivationDecision => {
  const { status, expiresAt, boundHwid, transferHwid } = facts;
  const hasExpired = expiresAt !== null && expiresAt <= now;
  if (status !== 'active' || hasExpired) return { allowed: false, code: 'UNAUTHORIZED' };
  if (transferHwid !== null)
    return transferHwid === hwid
      ? { allowed: true, binding: 'transfer' }
      : { allowed: false, code: 'UNAUTHORIZED' };
  if (boundHwid === null) return { allowed: true, binding: 'first' };
  return boundHwid === hwid ? { allowed: true, binding: 'same' } : { allowed: false, code: 'HWID_MISMATCH' };
};

/** A transfer whose new machine has been bound. */
export interface CompletedTransfer {
  readonly transferId: string;
  readonly license: LicenseRow;
  /** Null: the vendor had unbound the license in between. */
  readonly fromHwid: string | null;
  readonly toHwid: string;
  readonly at: Date;
}

type CompleteTransfer = (trx: Transaction<PortalTables>, transfer: CompletedTransfer) => Promise<void>;

interface ActivationOptions {
  readonly pool: pg.Pool;
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly tokens: LicenseTokens;
  readonly clock: Clock;
  /** Runs in the transaction that binds the license, under the lock of its row. */
  readonly completeTransfer: CompleteTransfer;
}

/** What a token says about its license. */
type LicenseFacts = Pick<
  LicenseRow,
  'id' | 'tenant_id' | 'tier' | 'features' | 'max_clusters' | 'buyer_email' | 'purchase_id' | 'expires_at'
>;

/** All columns of the license are null if no license that may be activated here has the key. */
type FirstAttempt = { readonly granted: number; readonly wait_ms: number } & (
  | ({ readonly is_bound: boolean } & LicenseFacts)
  | { readonly is_bound: false; readonly id: null }
);

/** Simultaneous activations of one license wait for its row; they must not use up the whole pool while they wait. */
const maxConnections = 4;
const maxWaiting = 1024;

const unauthorized = { outcome: 'refused', code: 'UNAUTHORIZED' } as const;

/** First activation. Every request counts against its address, whatever its outcome. */
export const createActivation = (options: ActivationOptions) => {
  const { pool, db, vault, tokens, clock, completeTransfer } = options;
  const waiting = createWaitingAddresses(clock);
  const inTurn = limitConcurrency({
    maxRunning: maxConnections,
    maxWaiting,
    ...databaseTasks,
  });

  /** Counts the request, whatever its outcome. */
  const attempt = async (request: ActivateRequest, address: string): Promise<FirstAttempt> => {
    const { licenseKey, hwid, instanceId, version } = request;
    const { rows } = await pool.query<FirstAttempt>({
      name: 'activate',
      text: activationStatement,
      values: [
        address,
        hasValidCheck(licenseKey) ? vault.hash(licenseKey) : null,
        clock.now(),
        hwid,
        instanceId,
        version,
        JSON.stringify({ hwid, instanceId, version, binding: 'first' }),
      ],
    });
    const [row] = rows;
    if (!row) throw new Error('an activation was not counted');
    return row;
  };

  const tokenFor = async (license: LicenseFacts, hwid: string): Promise<LicenseAnswer> => {
    const subject = {
      sub: license.id,
      tier: license.tier,
      tenantId: license.tenant_id,
      hwid,
      features: license.features,
      maxClusters: license.max_clusters,
      buyerEmail: license.buyer_email,
      purchaseId: license.purchase_id,
    };
    const response = await tokens.sign(subject, clock.now());
    return { outcome: 'token', response, endsAt: license.expires_at };
  };

  return async (request: ActivateRequest, address: string): Promise<LicenseAnswer> => {
    const secondsLeft = waiting.secondsLeft(address);
    if (secondsLeft !== null) return { outcome: 'rate-limited', retryAfterSeconds: secondsLeft };
    return inTurn(async () => {
      const first = await attempt(request, address);
      if (first.granted === 0)
        return { outcome: 'rate-limited', retryAfterSeconds: waiting.remember(address, first.wait_ms) };
      if (first.id === null) return unauthorized;
      if (first.is_bound) return tokenFor(first, request.hwid);
      const bound = await db
        .transaction()
        .execute((trx) => bind(trx, completeTransfer, vault.hash(request.licenseKey), request, clock.now()));
      return 'license' in bound ? tokenFor(bound.license, request.hwid) : bound;
    });
  };
};

type Bound = { readonly license: LicenseRow } | Extract<LicenseAnswer, { outcome: 'refused' }>;

/** Decides under the lock of the license's row: of any number of simultaneous machines one wins, and the others see it. */
const bind = async (
  trx: Transaction<PortalTables>,
  completeTransfer: CompleteTransfer,
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

  // A separate statement: only one that begins after the lock was acquired sees what the previous holder wrote.
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
    await completeTransfer(trx, {
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
