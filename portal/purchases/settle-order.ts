import type { Transaction } from 'kysely';
import type { WebhookOutcome } from '#contracts/purchases.ts';
import { newId } from '../database/new-id.ts';
import type { PortalTables } from '../database/tables.ts';
import { ensurePurchase, ensureTenant } from '../licenses/buyers.ts';
import { customerLanguage, keepCustomerLanguage } from '../licenses/customer-language.ts';
import { insertLicense } from '../licenses/insert-license.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import type { LicenseRow } from '../licenses/licenses.tables.ts';
import type { Outbox } from '../mail/outbox.ts';
import { applyExpiry } from './apply-expiry.ts';
import { expiryOf, type OrderState } from './order-state.ts';
import { licenseIssuedMail } from './purchase-mails.ts';
import { revokeRefunded } from './revoke-refunded.ts';

export type Trx = Transaction<PortalTables>;

export interface SettlingOptions {
  readonly vault: LicenseKeyVault;
  readonly outbox: Outbox;
}

export interface Settled {
  readonly outcome: WebhookOutcome;
  /** Why it is not processed, for people. */
  readonly reason: string | null;
  readonly purchaseId: string | null;
}

type Purchase = NonNullable<OrderState['purchase']>;

const open = (outcome: WebhookOutcome, reason: string): Settled => ({ outcome, reason, purchaseId: null });

/** Brings licenses, purchase and mails in line with the order's state. Doing it again changes nothing. */
export const settleOrder = async (
  trx: Trx,
  options: SettlingOptions,
  order: OrderState,
  now: Date,
): Promise<Settled> => {
  const { purchase, refunded } = order;
  if (!purchase) return open('waiting', 'The purchase itself has not come in.');
  const { orderId } = purchase;
  const licenses = await trx
    .selectFrom('licenses')
    .selectAll()
    .where('purchase_id', '=', orderId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (refunded) {
    const purchaseId = await keepPurchase(trx, purchase, licenses, now);
    await revokeRefunded(trx, options.outbox, { orderId, refunded, licenses }, now);
    return { outcome: 'processed', reason: null, purchaseId };
  }
  if (licenses.length === 0 && purchase.dismissed)
    return open('ignored', 'The vendor has set its purchase aside.');
  if (licenses.length === 0) return fulfil(trx, options, order, purchase, now);
  const plan = await findPlan(trx, purchase);
  await applyExpiry(trx, options.outbox, { order, purchase, licenses, plan: plan ?? null }, now);
  return { outcome: 'processed', reason: null, purchaseId: orderId };
};

const findPlan = async (trx: Trx, { plan }: Purchase) =>
  plan === null ? undefined : trx.selectFrom('plans').selectAll().where('id', '=', plan).executeTakeFirst();

/** Also for an order without a license, if the buyer is known. */
const keepPurchase = async (
  trx: Trx,
  { orderId, email, purchasedAt }: Purchase,
  licenses: readonly LicenseRow[],
  now: Date,
): Promise<string | null> => {
  if (licenses.length > 0) return orderId;
  if (email === null) return null;
  const tenantId = (await ensureTenant(trx, undefined, email, now)) ?? '';
  await ensurePurchase(trx, orderId, tenantId, email, purchasedAt);
  return orderId;
};

/** Creates the one license of an order that has none, and its mail. */
const fulfil = async (
  trx: Trx,
  { vault, outbox }: SettlingOptions,
  order: OrderState,
  purchase: Purchase,
  now: Date,
): Promise<Settled> => {
  const { orderId, email, name: buyerName, purchasedAt } = purchase;
  if (email === null) return open('unprocessed', 'The purchase names no usable e-mail address.');
  if (purchase.plan === null) return open('unprocessed', 'The purchase names no plan.');
  const plan = await findPlan(trx, purchase);
  if (!plan) return open('unprocessed', `There is no plan ${purchase.plan}.`);

  const ownTenant = (await ensureTenant(trx, undefined, email, now)) ?? '';
  const tenantId = await ensurePurchase(trx, orderId, ownTenant, email, purchasedAt);
  if (purchase.language !== null) await keepCustomerLanguage(trx, ownTenant, purchase.language);
  const expiresAt = expiryOf(order, purchase, plan.duration_days);
  const wanted = {
    id: newId(),
    tenantId,
    buyerEmail: email,
    buyerName,
    purchaseId: orderId,
    tier: plan.tier,
    features: plan.features,
    maxClusters: plan.max_clusters,
    expiresAt,
  };
  const { license, licenseKey } = await insertLicense(trx, vault, wanted, { actor: 'gateway', at: now });
  await trx
    .insertInto('fulfilments')
    .values({
      purchase_id: orderId,
      license_id: license.id,
      applied_expires_at: expiresAt,
      ended: order.endsAt !== null,
    })
    .execute();
  // For a subscription that ended before it became known here, there is nothing left to use.
  if (expiresAt === null || expiresAt > now)
    await outbox.enqueue(trx, {
      to: email,
      ...licenseIssuedMail(
        { licenseKey, tier: plan.tier, orderId, expiresAt },
        await customerLanguage(trx, email),
      ),
    });
  return { outcome: 'processed', reason: null, purchaseId: orderId };
};
