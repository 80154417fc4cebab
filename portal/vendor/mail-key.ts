import { customerLanguage } from '../licenses/customer-language.ts';
import type { MailKey } from '../licenses/issue-license.ts';
import type { Outbox } from '../mail/outbox.ts';
import { licenseIssuedMail } from '../purchases/purchase-mails.ts';

/** The mail that a buyer normally gets after an order at the payment gateway, for a license that the vendor issued by hand. */
export const createMailKey =
  (outbox: Outbox): MailKey =>
  async (trx, { license, licenseKey }) => {
    const { tier, purchase_id: orderId, expires_at: expiresAt } = license;
    const to = license.buyer_email;
    const language = await customerLanguage(trx, to);
    const mail = licenseIssuedMail({ licenseKey, tier, orderId, expiresAt }, language);
    await outbox.enqueue(trx, { ...mail, to });
  };
