import type { Language } from '#contracts/kernel/language.ts';
import { portalFormat } from '../language/portal-format.ts';
import { renderMail } from '../mail/mail-template.ts';
import type { MailContent } from '../mail/outbox.ts';
import { purchaseMailsWords } from './purchase-mails.words.ts';

/** @param language null: the buyer's language is unknown; the same for the other mails */
export const licenseIssuedMail = (
  {
    licenseKey,
    tier,
    orderId,
    expiresAt,
  }: {
    readonly licenseKey: string;
    readonly tier: string;
    readonly orderId: string;
    readonly expiresAt: Date | null;
  },
  language: Language | null,
): MailContent =>
  renderMail({
    kind: 'license_issued',
    language,
    write(spoken) {
      const { issued, validUntil } = purchaseMailsWords[spoken];
      return {
        subject: issued.subject,
        parts: [
          issued.thanks(orderId, tier),
          { copy: licenseKey },
          issued.enter,
          { copy: 'castellan license activate' },
          expiresAt === null ? issued.unlimited : validUntil(portalFormat[spoken].moment(expiresAt)),
          issued.keep,
        ],
      };
    },
  });

export const licenseRevokedMail = (orderId: string, language: Language | null): MailContent =>
  renderMail({
    kind: 'license_revoked',
    language,
    write(spoken) {
      const { subject, why, help } = purchaseMailsWords[spoken].revoked;
      return { subject, parts: [why(orderId), help] };
    },
  });

export const subscriptionEndedMail = (
  orderId: string,
  expiresAt: Date,
  language: Language | null,
): MailContent =>
  renderMail({
    kind: 'subscription_ended',
    language,
    write(spoken) {
      const { ended, validUntil } = purchaseMailsWords[spoken];
      const until = validUntil(portalFormat[spoken].moment(expiresAt));
      return { subject: ended.subject, parts: [ended.what(orderId), until] };
    },
  });
