import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import type { LicenseKeyVault } from '../licenses/license-key-vault.ts';
import { maskKey } from '../licenses/license-view.ts';
import type { LicenseRow } from '../licenses/licenses.tables.ts';
import { mailAddressSchema } from '../mail/mail-address.ts';
import type { MailContent, Outbox } from '../mail/outbox.ts';
import {
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
  /** Of the customer area; null when it is not known. */
  readonly accountUrl: string | null;
}

export const createTransferMails = ({ outbox, vault, accountUrl }: TransferMailsOptions): TransferMails => {
  const keyOf = (license: LicenseRow) => maskKey(vault.open(license.key_sealed, license.id));
  /**
   * Whoever bought it, and whoever has the account: a transfer that neither of them wanted must not go unseen. An address
   * that takes no mail keeps nobody from moving his license.
   */
  const tell = async (trx: Trx, license: LicenseRow, content: MailContent) => {
    const { email } = await trx
      .selectFrom('tenants')
      .select('email')
      .where('id', '=', license.tenant_id)
      .executeTakeFirstOrThrow();
    const recipients = new Map([license.buyer_email, email].map((to) => [to.toLowerCase(), to]));
    for (const to of recipients.values())
      if (mailAddressSchema.safeParse(to).success) await outbox.enqueue(trx, { ...content, to });
  };
  return {
    requested: (trx, license, transfer) =>
      tell(trx, license, transferRequestedMail(keyOf(license), transfer, accountUrl)),
    completed: (trx, license, transfer) =>
      tell(trx, license, transferCompletedMail(keyOf(license), transfer, accountUrl)),
  };
};
