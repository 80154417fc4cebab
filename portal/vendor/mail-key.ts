import type { MailKey } from '../licenses/issue-license.ts';
import type { Outbox } from '../mail/outbox.ts';
import { licenseIssuedMail } from '../purchases/purchase-mails.ts';

/** The mail that a buyer gets from the payment gateway's order, for a license that the vendor issued by hand. */
export const createMailKey =
  (outbox: Outbox): MailKey =>
  async (trx, { license, licenseKey }) => {
    const { tier, purchase_id: orderId, expires_at: expiresAt } = license;
    const mail = licenseIssuedMail({ licenseKey, tier, orderId, expiresAt });
    await outbox.enqueue(trx, { ...mail, to: license.buyer_email });
  };
