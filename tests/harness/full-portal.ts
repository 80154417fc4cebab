import { readGenericEvent } from '../../portal/purchases/generic-event.ts';
import { type IssuedLicense, type movableClock, newHwid, type TestPortal } from './portal.ts';

type MovableClock = ReturnType<typeof movableClock>;

const minuteMs = 60_000;
export const rightToLeft = 'مريم 👩🏽‍🚀 e\u0301';
export const openEvent = `c${'1'.repeat(24)}`;

/** Fills the pages: machines, checks, a failed mail, an open purchase. */
export const fillPortal = async (portal: TestPortal, clock: MovableClock): Promise<IssuedLicense> => {
  const license = await portal.issue({ buyerEmail: 'owner@example.com', expiresAt: new Date('2027-01-01') });
  const hwid = newHwid();
  const { body } = await portal.activate(license.licenseKey, hwid);
  const { checks } = portal.context.vendorArea;
  for (let hour = 0; hour < 30; hour += 1) {
    for (let check = 0; check <= hour % 7; check += 1) checks.note('token');
    if (hour % 5 === 0) checks.note('refused');
    clock.pass(60 * minuteMs);
  }
  await checks.write();
  await portal.validate(license, body.token, hwid);
  await portal.context.pool.query(`
    insert into mail_outbox (id, message_id, kind, recipient, subject, body_sealed, state, attempts, next_attempt_at,
      last_fault, created_at, settled_at)
    values ('failed', '<failed@example.com>', 'license_issued', 'owner@example.com', 'Your license key', 'sealed', 'given_up', 12,
      now(), '550 no such mailbox', now(), now()) on conflict do nothing`);
  await portal.context.pool.query(
    `insert into webhook_events (id, gateway, event_id, type, kind, refs, facts, payload_sha256, occurred_at, received_at, outcome, reason)
     values ($1, 'generic', 'event-1', 'purchase', 'purchase', '{generic:order-1}', '{"email":"buyer@example.com","plan":"pro"}', '', now(), now(),
       'unprocessed', 'There is no plan pro.') on conflict do nothing`,
    [openEvent],
  );
  await portal.context.plans.put(yearly);
  const at = new Date(clock.now().getTime() - 3 * 24 * 60 * minuteMs);
  for (const [orderId, amount] of Object.entries(sold))
    await portal.context.purchases.take(
      readGenericEvent({
        id: `sale-${orderId}`,
        type: 'purchase',
        occurredAt: at.toISOString(),
        orderId,
        email: 'owner@example.com',
        plan: 'yearly',
        amount,
      }),
      Buffer.alloc(32),
    );
  const refund = { id: 'sale-back', type: 'refund', occurredAt: clock.now().toISOString() } as const;
  await portal.context.purchases.take(
    readGenericEvent({ ...refund, orderId: 'order-yen' }),
    Buffer.alloc(32),
  );
  return license;
};

const yearly = {
  id: 'yearly',
  tier: 'pro',
  features: ['*'],
  maxClusters: 3,
  durationDays: 365,
} as const;
const sold = {
  'order-euro': { minor: 4900, currency: 'EUR' },
  'order-yen': { minor: 980, currency: 'JPY' },
  'order-dinar': { minor: 12_345, currency: 'KWD' },
} as const;
