import type { Transaction } from 'kysely';
import type { WebhookOutcome } from '#contracts/portal/purchases.ts';
import { newId } from '../database/new-id.ts';
import type { LicenseRow, PlanRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { ensurePurchase, ensureTenant } from '../licenses/buyers.ts';
import { customerLanguage, keepCustomerLanguage } from '../licenses/customer-language.ts';
import { insertLicense } from '../licenses/insert-license.ts';
import { recordEvent } from '../licenses/license-events.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { decideRevocation } from '../licenses/license-status.ts';
import type { Outbox } from '../mail/outbox.ts';
import { expiryOf, nextExpiry, type OrderState } from './order-state.ts';
import { licenseIssuedMail, licenseRevokedMail, subscriptionEndedMail } from './purchase-mails.ts';

/** Revokes every license of the order, marks the purchase, and tells the buyers. */
const revokeRefunded = async (
  trx: Transaction<PortalTables>,
  outbox: Outbox,
  {
    orderId,
    refunded,
    licenses,
  }: {
    readonly orderId: string;
    readonly refunded: NonNullable<OrderState['refunded']>;
    /** All licenses of the order, including those that the vendor issued by hand. */
    readonly licenses: readonly LicenseRow[];
  },
  now: Date,
): Promise<void> => {
  const told = new Set<string>();
  for (const license of licenses) {
    const decision = decideRevocation(license.status);
    if (!decision.allowed) continue;
    const { status } = decision;
    await trx
      .updateTable('licenses')
      .set({ status, status_reason: null })
      .where('id', '=', license.id)
      .execute();
    const data = {
      from: { status: license.status },
      to: { status },
      reason: refunded.as,
      purchaseId: orderId,
    };
    await recordEvent(trx, { licenseId: license.id, kind: 'revoked', actor: 'gateway', at: now, data });
    told.add(license.buyer_email);
  }
  await trx
    .updateTable('purchases')
    .set({ state: 'refunded', refunded_at: refunded.at })
    .where('id', '=', orderId)
    .where('state', '=', 'paid')
    .execute();
  for (const to of told)
    await outbox.enqueue(trx, { to, ...licenseRevokedMail(orderId, await customerLanguage(trx, to)) });
};

/** Extends the order's licenses to the time that is paid for; the buyer is told of a subscription's end once. */
const applyExpiry = async (
  trx: Transaction<PortalTables>,
  outbox: Outbox,
  {
    order,
    purchase,
    licenses,
    plan,
  }: {
    readonly order: OrderState;
    readonly purchase: NonNullable<OrderState['purchase']>;
    readonly licenses: readonly LicenseRow[];
    readonly plan: PlanRow | null;
  },
  now: Date,
): Promise<void> => {
  // A single purchase got its time when it was fulfilled; plans changed since then are for new buyers.
  if (!purchase.subscription) return;
  const { orderId } = purchase;
  const fulfilment = await trx
    .selectFrom('fulfilments')
    .selectAll()
    .where('purchase_id', '=', orderId)
    .executeTakeFirst();
  const wanted = expiryOf(order, purchase, plan?.duration_days ?? null);
  const hasEnded = order.endsAt !== null;
  const isNewlyEnded = hasEnded && fulfilment?.ended === false;

  for (const license of licenses) {
    if (license.status === 'revoked') continue;
    const applied = license.id === fulfilment?.license_id ? fulfilment.applied_expires_at : undefined;
    const expiresAt = nextExpiry(license.expires_at, applied, wanted);
    const isChanged = expiresAt?.getTime() !== license.expires_at?.getTime();
    if (isChanged)
      await trx.updateTable('licenses').set({ expires_at: expiresAt }).where('id', '=', license.id).execute();
    if (isChanged || isNewlyEnded) {
      const kind = hasEnded ? 'subscription_ended' : 'extended';
      const data = {
        from: { expiresAt: license.expires_at },
        to: { expiresAt },
        reason: 'subscription',
        purchaseId: orderId,
      };
      await recordEvent(trx, { licenseId: license.id, kind, actor: 'gateway', at: now, data });
    }
    if (isNewlyEnded && expiresAt !== null) {
      const to = license.buyer_email;
      const language = await customerLanguage(trx, to);
      await outbox.enqueue(trx, { to, ...subscriptionEndedMail(orderId, expiresAt, language) });
    }
  }
  await trx
    .updateTable('fulfilments')
    .set({ applied_expires_at: wanted, ended: hasEnded })
    .where('purchase_id', '=', orderId)
    .execute();
};

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
