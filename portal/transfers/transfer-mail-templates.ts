import type { Language } from '#contracts/language.ts';
import { portalFormat } from '../language/portal-format.ts';
import { renderMail } from '../mail/mail-template.ts';
import type { MailContent } from '../mail/outbox.ts';
import { transferMailsWords } from './transfer-mails.words.ts';
import { freeTransferDays } from './transfer-rules.ts';

export interface TransferOfMachines {
  readonly fromHwid: string | null;
  readonly toHwid: string;
  readonly at: Date;
}

export interface TransferMail {
  readonly maskedKey: string;
  readonly transfer: TransferOfMachines;
  /** Null: the customer's language is unknown. */
  readonly language: Language | null;
  /** The address of the customer area; null if unknown. */
  readonly accountUrl: string | null;
}

export const transferRequestedMail = ({
  maskedKey,
  transfer,
  language,
  accountUrl,
}: TransferMail): MailContent =>
  renderMail({
    kind: 'transfer_requested',
    language,
    write(spoken) {
      const { requested, notYou } = transferMailsWords[spoken];
      const what = requested.what(maskedKey, portalFormat[spoken].moment(transfer.at));
      const parts = [what, { copy: transfer.toHwid }, requested.next, notYou, { link: accountUrl }];
      return { subject: requested.subject, parts };
    },
  });

export const transferCompletedMail = ({
  maskedKey,
  transfer,
  language,
  accountUrl,
}: TransferMail): MailContent =>
  renderMail({
    kind: 'transfer_completed',
    language,
    write(spoken) {
      const { completed, notYou } = transferMailsWords[spoken];
      const what = completed.what(maskedKey, portalFormat[spoken].moment(transfer.at));
      const next = completed.next(freeTransferDays);
      const parts = [what, { copy: transfer.toHwid }, next, notYou, { link: accountUrl }];
      return { subject: completed.subject, parts };
    },
  });
