import type { Kysely, Transaction } from 'kysely';
import type pg from 'pg';
import { hasValidCheck } from '#contracts/license/license-key.ts';
import type { ActivateRequest } from '#contracts/license/licenses.ts';
import type { Clock } from '#runtime/clock.ts';
import { limitConcurrency } from '#runtime/limit-concurrency.ts';
import { databaseTasks } from '../database/database-fault.ts';
import type { LicenseRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { countRequests } from '../rate-limits/counting-statement.ts';
import { createWaitingAddresses } from '../rate-limits/waiting-addresses.ts';
import type { LicenseAnswer } from './license-answer.ts';
import { recordEvent } from './license-events.ts';
import type { LicenseKeyVault } from './license-key-vault.ts';
import type { LicenseStatus } from './license-status.ts';
import type { LicenseTokens } from './license-token.ts';

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
const activationStatement = `
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

type ActivationDecision =
  | { readonly allowed: true; readonly binding: 'first' | 'same' | 'transfer' }
  | { readonly allowed: false; readonly code: 'UNAUTHORIZED' | 'HWID_MISMATCH' };

const decideActivation = (
  facts: {
    readonly status: LicenseStatus;
    readonly expiresAt: Date | null;
    /** The machine that the license is bound to. */
    readonly boundHwid: string | null;
    /** The machine that a pending transfer names. */
    readonly transferHwid: string | null;
  },
  hwid: string,
  now: Date,
): ActivationDecision => {
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
export const createActivation = (options: {
  readonly pool: pg.Pool;
  readonly db: Kysely<PortalTables>;
  readonly vault: LicenseKeyVault;
  readonly tokens: LicenseTokens;
  readonly clock: Clock;
  /** Runs in the transaction that binds the license, under the lock of its row. */
  readonly completeTransfer: CompleteTransfer;
}) => {
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
