import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { customerLanguage } from '../licenses/customer-language.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { maskKey } from '../licenses/license-view.ts';
import type { LicenseRow } from '../licenses/licenses.tables.ts';
import { mailAddressSchema } from '../mail/mail-address.ts';
import type { MailContent, Outbox } from '../mail/outbox.ts';
import {
  type TransferMail,
  type TransferOfMachines,
  transferCompletedMail,
  transferRequestedMail,
} from './transfer-mail-templates.ts';

type Trx = Transaction<PortalTables>;

/** Tells the buyer of every transfer, in the transaction of the transfer itself. */
export interface TransferMails {
  requested(trx: Trx, license: LicenseRow, transfer: TransferOfMachines): Promise<void>;
  completed(trx: Trx, license: LicenseRow, transfer: TransferOfMachines): Promise<void>;
}

export interface TransferMailsOptions {
  readonly outbox: Outbox;
  readonly vault: LicenseKeyVault;
  /** The address of the customer area; null if unknown. */
  readonly accountUrl: string | null;
}

export const createTransferMails = ({ outbox, vault, accountUrl }: TransferMailsOptions): TransferMails => {
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
