import type { Transaction } from 'kysely';
import type { Language } from '#contracts/kernel/language.ts';
import type { LicenseRow } from '../database/rows.ts';
import type { PortalTables } from '../database/tables.ts';
import { portalFormat } from '../language/portal-format.ts';
import { customerLanguage } from '../licenses/customer-language.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { maskKey } from '../licenses/license-view.ts';
import { mailAddressSchema } from '../mail/mail-address.ts';
import { renderMail } from '../mail/mail-template.ts';
import type { MailContent, Outbox } from '../mail/outbox.ts';
import { transferMailsWords } from './transfer-mails.words.ts';
import { freeTransferDays } from './transfer-rules.ts';

interface TransferOfMachines {
  readonly fromHwid: string | null;
  readonly toHwid: string;
  readonly at: Date;
}

interface TransferMail {
  readonly maskedKey: string;
  readonly transfer: TransferOfMachines;
  /** Null: the customer's language is unknown. */
  readonly language: Language | null;
  /** The address of the customer area; null if unknown. */
  readonly accountUrl: string | null;
}

const transferRequestedMail = ({ maskedKey, transfer, language, accountUrl }: TransferMail): MailContent =>
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

const transferCompletedMail = ({ maskedKey, transfer, language, accountUrl }: TransferMail): MailContent =>
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

type Trx = Transaction<PortalTables>;

/** Tells the buyer of every transfer, in the transaction of the transfer itself. */
export interface TransferMails {
  requested(trx: Trx, license: LicenseRow, transfer: TransferOfMachines): Promise<void>;
  completed(trx: Trx, license: LicenseRow, transfer: TransferOfMachines): Promise<void>;
}

export const createTransferMails = ({
  outbox,
  vault,
  accountUrl,
}: {
  readonly outbox: Outbox;
  readonly vault: LicenseKeyVault;
  /** The address of the customer area; null if unknown. */
  readonly accountUrl: string | null;
}): TransferMails => {
  const keyOf = (license: LicenseRow) => maskKey(vault.open(license.key_sealed, license.id));
  /**
   * The buyer and the account holder: a transfer that neither of them wanted must not go unnoticed. An address that
   * accepts no mail must not prevent a transfer.
   */
  const tell = async (
    trx: Trx,
    license: LicenseRow,
    transfer: TransferOfMachines,
    write: (mail: TransferMail) => MailContent,
  ) => {
    const { email } = await trx
      .selectFrom('tenants')
      .select('email')
      .where('id', '=', license.tenant_id)
      .executeTakeFirstOrThrow();
    const recipients = new Map([license.buyer_email, email].map((to) => [to.toLowerCase(), to]));
    const maskedKey = keyOf(license);
    for (const to of recipients.values()) {
      if (!mailAddressSchema.safeParse(to).success) continue;
      const language = await customerLanguage(trx, to);
      await outbox.enqueue(trx, { ...write({ maskedKey, transfer, language, accountUrl }), to });
    }
  };
  return {
    requested: (trx, license, transfer) => tell(trx, license, transfer, transferRequestedMail),
    completed: (trx, license, transfer) => tell(trx, license, transfer, transferCompletedMail),
  };
};
