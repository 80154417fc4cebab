import { renderMail } from '../mail/mail-template.ts';
import type { MailContent } from '../mail/outbox.ts';

export interface IssuedLicense {
  readonly licenseKey: string;
  readonly tier: string;
  readonly orderId: string;
  readonly expiresAt: Date | null;
}

export const licenseIssuedMail = ({ licenseKey, tier, orderId, expiresAt }: IssuedLicense): MailContent =>
  renderMail({
    kind: 'license_issued',
    subject: 'Your license key',
    parts: [
      `Thank you for your order ${orderId}. This is your license key (${tier}):`,
      { copy: licenseKey },
      'Enter it in the license wizard, or on the machine itself. This command asks for the key:',
      { copy: 'castellan license activate' },
      expiresAt === null ? 'The license does not expire.' : `The license is valid until ${dayOf(expiresAt)}.`,
      'Keep this mail: whoever has the key can use the license.',
    ],
  });

export const licenseRevokedMail = (orderId: string): MailContent =>
  renderMail({
    kind: 'license_revoked',
    subject: 'Your license was revoked',
    parts: [
      `The payment of your order ${orderId} was refunded or charged back, so its license was revoked. It stops working at its next check.`,
      'If you think that this is a mistake, answer to whoever sold you the license.',
    ],
  });

export const subscriptionEndedMail = (orderId: string, expiresAt: Date): MailContent =>
  renderMail({
    kind: 'subscription_ended',
    subject: 'Your subscription has ended',
    parts: [
      `The subscription of your order ${orderId} has ended. Its license is valid until ${dayOf(expiresAt)}.`,
    ],
  });

const dayOf = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
